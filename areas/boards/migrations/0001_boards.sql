-- expand
-- What KiCad was asked, by the hash of everything that the answer depends on: one row for all workspaces.
create table board_jobs (
  key text primary key,
  engine text not null,
  operation text not null,
  options jsonb not null,
  -- The file that KiCad opens, below the folder of the project.
  file text not null,
  -- What it reads: path, hash and size of each.
  inputs jsonb not null,
  -- Lower ones first.
  priority smallint not null,
  -- Of the workspace that asked first: whoever has the fewest running is served first.
  owner text not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'refused')),
  attempts integer not null default 0,
  -- One for each time that a worker takes it: what an earlier one says has no effect.
  claim text,
  lease_until timestamptz,
  fault_code text,
  fault_detail text,
  notes jsonb not null default '[]',
  counts jsonb not null default '{}',
  created_at timestamptz not null,
  queued_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When somebody last asked for it or read a result, to the hour.
  used_at timestamptz not null
);
create index board_jobs_open on board_jobs (owner) where state in ('queued', 'running');
create index board_jobs_queued on board_jobs (engine, priority, queued_at) where state = 'queued';
create index board_jobs_leased on board_jobs (lease_until) where state = 'running';
create index board_jobs_used on board_jobs (used_at);

create table board_results (
  key text not null references board_jobs on delete cascade,
  name text not null,
  position integer not null,
  title text not null,
  media_type text not null,
  bytes bigint not null,
  sha256 text not null,
  primary key (key, name)
);
create index board_results_by_sha256 on board_results (sha256);

-- Which workspaces have asked for a job, and may read it.
create table board_asks (
  owner text not null,
  repo text not null,
  key text not null references board_jobs on delete cascade,
  path text not null,
  revision bigint not null,
  asked_at timestamptz not null,
  primary key (owner, repo, key),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index board_asks_by_time on board_asks (owner, repo, asked_at desc, key);
create index board_asks_by_key on board_asks (key);

create table board_workers (
  id text primary key,
  engine text not null,
  version text not null,
  seen_at timestamptz not null
);
