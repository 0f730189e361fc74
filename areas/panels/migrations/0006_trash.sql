-- expand
-- A workspace that was deleted waits for its owner under a name that no request can have: nothing finds it by the one that
-- it had, and that one is free. A node of the version before lists it under the odd name while nodes are replaced.
alter table workspaces
  add column trashed_at timestamptz,
  add column trashed_repo text;
create index if not exists workspaces_in_trash on workspaces (owner, trashed_at desc, repo) where trashed_at is not null;
-- What is too old goes, whoever's it is.
create index if not exists workspaces_by_time_in_trash on workspaces (trashed_at) where trashed_at is not null;
