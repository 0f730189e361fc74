-- What an administrator has taken down. `is_listed` is false meanwhile, so that nodes of the version before hide it too, and
-- `was_listed` is what its owner had chosen.
alter table packages
  add column quarantined_at timestamptz,
  add column quarantine_reason text,
  add column was_listed boolean;
