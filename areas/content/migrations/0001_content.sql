-- expand
-- The files of one workspace. Every change locks this row, so that no two are made on the same revision.
-- A workspace that is removed leaves its row without a name: what it held is deleted later, in small steps.
create table contents (
  id bigint primary key generated always as identity,
  owner text,
  repo text,
  -- Moves with each change.
  revision bigint not null default 0,
  -- Of the files that are there.
  files integer not null default 0,
  bytes bigint not null default 0,
  -- Of all contents that are kept, each once: history, and what was uploaded and is not named yet.
  stored_bytes bigint not null default 0,
  -- Changes up to this one are no longer known by themselves.
  forgotten_revision bigint not null default 0,
  unique (owner, repo),
  foreign key (owner, repo) references workspaces on delete set null
);
create index contents_removed on contents (id) where owner is null;

create table content_changes (
  content_id bigint not null references contents,
  revision bigint not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  reason text,
  -- What whoever brought it in says of its origin.
  author_name text,
  author_at timestamptz,
  paths integer not null,
  at timestamptz not null,
  primary key (content_id, revision)
);

-- What is there now.
create table content_files (
  content_id bigint not null references contents,
  path text collate "C" not null,
  -- The path where upper and lower case are the same: two files of one such path cannot be on every disk.
  folded text collate "C" not null,
  revision bigint not null,
  sha256 text not null,
  size bigint not null,
  media_type text not null,
  primary key (content_id, path),
  unique (content_id, folded)
);

-- What each change left of each path that it touched. Without a hash: deleted.
create table content_versions (
  content_id bigint not null references contents,
  path text collate "C" not null,
  revision bigint not null,
  sha256 text,
  size bigint,
  media_type text,
  moved_from text,
  primary key (content_id, path, revision)
);
create index content_versions_by_revision on content_versions (content_id, revision);
create index content_versions_by_sha256 on content_versions (content_id, sha256);

-- Which bytes a workspace has. The object itself may belong to several of them.
create table content_blobs (
  content_id bigint not null references contents,
  sha256 text not null,
  size bigint not null,
  is_named boolean not null default false,
  stored_at timestamptz not null,
  primary key (content_id, sha256)
);
create index content_blobs_by_sha256 on content_blobs (sha256);
create index content_blobs_unnamed on content_blobs (stored_at) where not is_named;
