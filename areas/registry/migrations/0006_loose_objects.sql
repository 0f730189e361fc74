-- expand
-- Objects that perhaps no version names: noted before they are stored, and when a version that named them is deleted.
create table loose_objects (
  sha256 text primary key,
  since timestamptz not null
);
create index if not exists loose_objects_by_age on loose_objects (since);
