-- expand
-- A device, and what it last said of itself. It goes with the workspace that it was added to.
create table devices (
  id bigint primary key generated always as identity,
  -- Short, because packets of microcontrollers are: with a topic, a name and a key they have 128 bytes.
  username text not null unique,
  key_hash text not null unique,
  owner text not null,
  repo text not null,
  name text not null,
  title text not null,
  manufacturer text,
  model text,
  version text,
  channels jsonb not null,
  is_connected boolean not null default false,
  seen_at timestamptz,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  created_at timestamptz not null,
  foreign key (owner, repo) references workspaces on delete cascade
);
create index devices_by_workspace on devices (owner, repo);

-- The workspaces that have a device: the one that it was added to, and those that it was granted to.
create table device_places (
  owner text not null,
  repo text not null,
  name text not null,
  device_id bigint not null references devices on delete cascade,
  is_home boolean not null,
  -- A person takes responsibility until then.
  armed_until timestamptz,
  armed_kind text check (armed_kind in ('api_key', 'application', 'browser')),
  armed_name text,
  armed_handle text,
  armed_for_agents boolean not null default false,
  primary key (owner, repo, name),
  unique (device_id, owner, repo),
  foreign key (owner, repo) references workspaces on delete cascade
);

-- The latest of each channel.
create table device_values (
  device_id bigint not null references devices on delete cascade,
  channel text not null,
  value jsonb not null,
  at timestamptz not null,
  primary key (device_id, channel)
);

-- Workspaces whose devices are stopped.
create table device_stops (
  owner text not null,
  repo text not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  reason text,
  since timestamptz not null,
  primary key (owner, repo),
  foreign key (owner, repo) references workspaces on delete cascade
);

-- The id makes that a command is sent once: of two requests with the same one, the second finds this row.
create table device_commands (
  device_id bigint not null references devices on delete cascade,
  id text not null,
  channel text not null,
  value jsonb not null,
  actor_kind text not null check (actor_kind in ('api_key', 'application', 'browser')),
  actor_name text not null,
  actor_handle text not null,
  reason text,
  -- Without one: it is on its way.
  status text check (status in ('done', 'sent', 'refused', 'failed', 'timeout')),
  message text,
  at timestamptz not null,
  primary key (device_id, id)
);
create index device_commands_by_time on device_commands (at);
