-- One name space: a handle belongs to a person or to an organisation, never to both.
create table handles (
  handle text primary key check (handle ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(handle) <= 39),
  kind text not null check (kind in ('person', 'organisation')),
  unique (handle, kind)
);

create table people (
  id uuid primary key default gen_random_uuid(),
  handle text not null unique,
  handle_kind text not null generated always as ('person') stored,
  display_name text not null,
  is_admin boolean not null default false,
  created_at timestamptz not null,
  disabled_at timestamptz,
  -- Application sessions that are younger are new to the person.
  sessions_seen_at timestamptz not null,
  foreign key (handle, handle_kind) references handles (handle, kind)
);

create table organisations (
  id uuid primary key default gen_random_uuid(),
  handle text not null unique,
  handle_kind text not null generated always as ('organisation') stored,
  display_name text not null,
  created_at timestamptz not null,
  foreign key (handle, handle_kind) references handles (handle, kind)
);

create table members (
  organisation_id uuid not null references organisations (id),
  person_id uuid not null references people (id),
  role text not null check (role in ('member', 'maintainer', 'owner')),
  created_at timestamptz not null,
  primary key (organisation_id, person_id)
);
create index members_by_person on members (person_id);

-- Who an issuer says somebody is. The address may change hands there; the subject never does.
create table external_identities (
  issuer text not null,
  subject text not null,
  person_id uuid not null references people (id),
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index external_identities_by_person on external_identities (person_id);

create table passkeys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id),
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id);

-- A sign-in or sign-up that one browser has begun. Its row is taken, not read, when the browser comes back.
create table ceremonies (
  secret_hash bytea primary key,
  kind text not null,
  data jsonb not null,
  expires_at timestamptz not null
);
create index ceremonies_by_end on ceremonies (expires_at);

create table invitations (
  secret_hash bytea primary key,
  makes_admin boolean not null,
  created_by uuid references people (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index invitations_by_end on invitations (expires_at);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id),
  kind text not null check (kind in ('browser', 'application')),
  token_hash bytea not null unique,
  label text,
  user_agent text not null,
  network text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- Null: it may rest for as long as it lives.
  idle_expires_at timestamptz,
  expires_at timestamptz not null,
  -- The intent that an application session came from.
  intent_hash bytea
);
create index sessions_by_person on sessions (person_id, created_at, id);
create index sessions_by_end on sessions (expires_at);
create index sessions_by_idle_end on sessions (idle_expires_at) where idle_expires_at is not null;

create table intents (
  token_hash bytea primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  max_age_seconds integer not null,
  label text,
  code_challenge text,
  requested_network text not null,
  requested_user_agent text not null,
  -- Whoever asked for the status before the approval, when no verifier tells callers apart.
  watcher bytea,
  is_watched_by_others boolean not null default false,
  -- Linked, not merely the presence of a session: a session that ended must not make the intent pending again.
  linked_at timestamptz,
  session_id uuid references sessions (id) on delete set null,
  -- The session token, sealed under the intent token, which is nowhere in this database.
  sealed_session_token bytea,
  declined_at timestamptz,
  -- Somebody was told that it has expired: an approval that is still under way must not make that untrue.
  expired_at timestamptz,
  consumed_at timestamptz,
  retriever bytea,
  check ((linked_at is null) = (sealed_session_token is null)),
  check (num_nonnulls(linked_at, declined_at, expired_at) <= 1)
);
-- Those that housekeeping looks for; a linked one is not among them for as long as its session lives.
create index intents_without_session_by_end on intents (expires_at) where session_id is null;
create index intents_by_session on intents (session_id);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references people (id),
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz
);
create index api_keys_by_person on api_keys (person_id, created_at, id);
