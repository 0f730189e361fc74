-- expand
-- What an operator lets the files of one owner take, where that is not what the server is set to.
create table content_quotas (
  owner text collate "C" primary key,
  bytes bigint not null check (bytes >= 0)
);
