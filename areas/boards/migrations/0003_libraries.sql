-- expand
-- Library packages of a workspace, each at one version. What of an archive is wanted is in the area's own object store: a
-- package that goes from the registry stays here.
create table board_libraries (
  owner text not null,
  repo text not null,
  identifier text not null,
  name text not null,
  version text not null,
  -- Of the archive, which workers unpack.
  sha256 text not null,
  bytes bigint not null,
  -- Nickname, path below the folder of the package, hash and size of each.
  symbols jsonb not null,
  -- Nickname and path of each.
  footprints jsonb not null,
  models integer not null,
  added_by text not null,
  added_at timestamptz not null,
  primary key (owner, repo, identifier),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index board_libraries_by_sha256 on board_libraries (sha256);

-- Which libraries KiCad finds: package, hash of the archive, and what is in its tables.
alter table board_jobs add column libraries jsonb not null default '[]';
