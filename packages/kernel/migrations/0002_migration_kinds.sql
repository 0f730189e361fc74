-- expand
-- Whether an older version goes on working on what a migration leaves. Nothing was promised by those before this one.
-- A table that was just made has the column already.
alter table schema_migrations add column if not exists kind text not null default 'contract';
