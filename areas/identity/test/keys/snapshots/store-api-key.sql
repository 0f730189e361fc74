select
  "id"
from
  "people"
where
  "id" = $1
  and "disabled_at" is null
for no key update;

select
  id
from
  sessions
where
  id = any ($1::uuid[])
union all
select
  id
from
  api_keys
where
  id = any ($2::uuid[]);

select
  count(*) as "count"
from
  "api_keys"
where
  "person_id" = $1
  and "publisher_id" is null;

insert into
  "api_keys" (
    "person_id",
    "name",
    "prefix",
    "key_hash",
    "scopes",
    "created_at",
    "expires_at"
  )
values
  ($1, $2, $3, $4, $5, $6, $7)
returning
  "id",
  "name",
  "prefix",
  "scopes",
  "created_at",
  "last_used_at",
  "expires_at";
