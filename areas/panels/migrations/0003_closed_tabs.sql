-- What closed tabs showed, so that they can be opened again. Bounded for each workspace when it is written, and in time.
create table closed_tabs (
  owner text not null,
  repo text not null,
  tab_id uuid not null,
  panel text not null,
  title text not null,
  icon text,
  -- Where it was.
  place jsonb not null,
  state jsonb,
  -- Of the state as text: adding up what many showed would otherwise read all of it.
  size integer not null,
  closed_at timestamptz not null,
  primary key (owner, repo, tab_id),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index closed_tabs_by_time on closed_tabs (closed_at);
