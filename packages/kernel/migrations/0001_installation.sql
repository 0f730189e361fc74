-- One row, made by the first node that starts: its id names this installation wherever several meet.
create table installation (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  singleton boolean not null default true constraint installation_singleton unique check (singleton)
);
