-- expand
-- People whom an owner has let into one workspace. Others may see it because of what they are to its owner.
create table workspace_members (
  owner text not null,
  repo text not null,
  person_id uuid not null,
  -- Never changes: the name of a person.
  handle text not null,
  role text not null check (role in ('viewer', 'editor')),
  invited_by text not null,
  joined_at timestamptz not null,
  primary key (owner, repo, person_id),
  foreign key (owner, repo) references workspaces on delete cascade
);
-- What is shared with somebody.
create index workspace_members_by_person on workspace_members (person_id, owner, repo);

-- Links that let whoever has them into a workspace. Only the hash of the secret is kept.
create table workspace_invitations (
  id uuid primary key,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  owner text not null,
  repo text not null,
  role text not null check (role in ('viewer', 'editor')),
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  uses_left integer not null check (uses_left >= 0),
  foreign key (owner, repo) references workspaces on delete cascade
);
create index workspace_invitations_by_workspace on workspace_invitations (owner, repo, created_at desc);
create index workspace_invitations_by_end on workspace_invitations (expires_at);

-- Moves when somebody is let in, gets another role or has to go: nodes then look who of those with an open page may stay.
alter table workspaces add column members_revision bigint not null default 0;
