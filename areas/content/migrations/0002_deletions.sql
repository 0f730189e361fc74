-- expand
-- Bytes that are being deleted from the store. Whoever deletes them may lose the database and go on: until the row is gone,
-- nobody is told that they have these bytes.
create table content_deletions (
  sha256 text primary key,
  begun_at timestamptz not null
);
