create table workspaces (
  owner text not null,
  repo text not null check (length(repo) between 1 and 100),
  -- Moves with each change of the layout. Every change locks this row, so no two are made on the same version.
  version bigint not null,
  layout jsonb not null,
  tab_count integer not null,
  -- Moves with each change of what a panel shows and with each action. Taken under the lock of this row: whoever has seen
  -- a revision has seen all before it.
  state_revision bigint not null default 0,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (owner, repo)
);
create index workspaces_by_change on workspaces (owner, changed_at desc, repo);

-- What panels shall show, whether or not a browser is there to show it. A tab without a row shows nothing yet.
create table panel_states (
  owner text not null,
  repo text not null,
  tab_id uuid not null,
  -- Patches are small, and there may be many: what they add up to has an end as well.
  state jsonb not null constraint panel_states_size check (octet_length(state::text) <= 393216),
  revision bigint not null,
  primary key (owner, repo, tab_id),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index panel_states_by_revision on panel_states (owner, repo, revision);

-- Who did what, for the person who watches. The latest few of each workspace are kept.
create table panel_actions (
  owner text not null,
  repo text not null,
  -- The state revision that came with it.
  id bigint not null,
  tab_id uuid,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  action text not null,
  reason text,
  at timestamptz not null,
  primary key (owner, repo, id),
  foreign key (owner, repo) references workspaces on delete cascade
);

-- Scripts and agents that have acted on a workspace. `is_ended` is looked at on each of their calls.
create table workspace_actors (
  owner text not null,
  repo text not null,
  credential_id uuid not null,
  kind text not null check (kind in ('api_key', 'application')),
  name text not null,
  handle text not null,
  last_action text not null,
  last_action_at timestamptz not null,
  actions bigint not null default 1,
  is_ended boolean not null default false,
  primary key (owner, repo, credential_id),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index workspace_actors_by_time on workspace_actors (owner, repo, last_action_at desc);

-- Code that shall run once. Claimed by one conditional update; what is past its deadline has failed.
create table sandbox_evals (
  id uuid primary key,
  owner text not null,
  repo text not null,
  tab_id uuid not null,
  seq bigint not null generated always as identity,
  credential_id uuid not null,
  code text not null,
  timeout_ms integer not null,
  status text not null check (status in ('queued', 'running', 'executed', 'error')),
  outcome jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_by text,
  deadline_at timestamptz,
  foreign key (owner, repo) references workspaces on delete cascade
);
create index sandbox_evals_waiting on sandbox_evals (owner, repo, tab_id, seq) where status in ('queued', 'running');
create index sandbox_evals_by_end on sandbox_evals (expires_at);
-- Removing a workspace would read all of them otherwise.
create index sandbox_evals_by_workspace on sandbox_evals (owner, repo);

-- Pictures that were asked for, and from `captured_at` on are there.
-- They do not go with the row of their workspace: with this row, nobody would know which object to delete.
create table captures (
  id uuid primary key,
  owner text not null,
  repo text not null,
  scope text not null check (scope in ('panel', 'workspace', 'screen')),
  method text not null check (method in ('element-capture', 'html2canvas')),
  panel_id uuid,
  tab_id uuid,
  engine text,
  width integer,
  height integer,
  scale double precision,
  was_activated boolean,
  bytes bigint,
  sha256 text,
  requested_at timestamptz not null,
  captured_at timestamptz,
  expires_at timestamptz not null
);
create index captures_by_end on captures (expires_at);
create index captures_by_workspace on captures (owner, repo, requested_at);

-- Who holds the token of a ticket may show pages of the web in one tab.
create table proxy_tickets (
  token_hash bytea primary key check (length(token_hash) = 32),
  owner text not null,
  repo text not null,
  tab_id uuid not null,
  person_id uuid not null,
  expires_at timestamptz not null,
  foreign key (owner, repo) references workspaces on delete cascade
);
create index proxy_tickets_by_end on proxy_tickets (expires_at);
-- Looked through under the lock of the workspace's row whenever a tab goes.
create index proxy_tickets_by_tab on proxy_tickets (owner, repo, tab_id);
create index proxy_tickets_by_person on proxy_tickets (person_id, expires_at desc);

-- Panels that others than us have added to the catalogue.
create table catalog_panels (
  owner text not null,
  panel_uuid uuid not null,
  name text not null,
  description text not null,
  category text not null,
  icon text not null,
  url text not null,
  singleton boolean not null,
  created_at timestamptz not null,
  primary key (owner, panel_uuid)
);
create index catalog_panels_by_name on catalog_panels (owner, name, panel_uuid);
