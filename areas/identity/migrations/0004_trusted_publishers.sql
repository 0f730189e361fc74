-- expand
-- CI jobs that may publish a package without a stored key, and what their tokens must say for it.
create table trusted_publishers (
  id uuid primary key default gen_random_uuid(),
  -- Whoever added it: the job acts for them.
  person_id uuid not null references people (id) on delete cascade,
  owner text not null,
  identifier text not null,
  service text not null,
  repository text not null,
  -- Which repository the name means, from its first job on.
  repository_id text,
  ref text not null,
  workflow text,
  environment text,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index if not exists trusted_publishers_by_package on trusted_publishers (owner, identifier);
create index if not exists trusted_publishers_by_person on trusted_publishers (person_id);

-- A token is good for one key.
create table used_ci_tokens (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index if not exists used_ci_tokens_by_end on used_ci_tokens (expires_at);

alter table api_keys add column publisher_id uuid references trusted_publishers (id) on delete cascade;
-- What the CI service has said of the job that has the key.
alter table api_keys add column provenance jsonb;
create index if not exists api_keys_of_publishers on api_keys (publisher_id) where publisher_id is not null;
create index if not exists api_keys_of_publishers_by_end on api_keys (expires_at) where publisher_id is not null;
