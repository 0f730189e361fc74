-- expand
-- Text files that people edit together. Every edit locks this row, so that no two make the same version.
create table content_documents (
  id bigint primary key generated always as identity,
  content_id bigint not null references contents on delete cascade,
  path text collate "C" not null,
  -- What the file was when it was last compared with the edits: the text of `saved_version`.
  file_revision bigint not null,
  sha256 text not null,
  saved_version bigint not null default 0,
  version bigint not null default 0,
  -- Of the text at `version`, as JavaScript counts.
  length integer not null,
  line_end text not null check (line_end in ('lf', 'crlf')),
  changed_at timestamptz not null,
  unique (content_id, path)
);
create index content_documents_unsaved on content_documents (changed_at) where version > saved_version;
create index content_documents_by_time on content_documents (changed_at);

create table content_edits (
  document_id bigint not null references content_documents on delete cascade,
  -- The one that it made.
  version bigint not null,
  -- Tells the edits of one editor from those of others.
  client_id text not null,
  changes text not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  at timestamptz not null,
  primary key (document_id, version)
);
create index content_edits_by_time on content_edits (at);

-- Of a change that several people made together: all of them, each once.
alter table content_changes add column editors jsonb;
