-- Secret addresses of private feeds. The token itself is in none of them: it is shown once.
create table feed_addresses (
  id uuid primary key default gen_random_uuid(),
  owner text not null,
  label text not null,
  token_hash bytea not null unique,
  created_by text not null,
  created_at timestamptz not null
);
create index feed_addresses_of_owner on feed_addresses (owner, created_at);
