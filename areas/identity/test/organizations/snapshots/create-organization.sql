select
  "id"
from
  "people"
where
  "id" = $1
  and "disabled_at" is null
for no key update;

select
  count(*) as "count"
from
  "members"
where
  "person_id" = $1
  and "role" = $2;

with
  "taken" as (
    insert into
      "handles" ("handle", "kind")
    values
      ($1, $2)
    on conflict do nothing
    returning
      "handle"
  ),
  "made" as (
    insert into
      "organizations" ("handle", "display_name", "created_at")
    select
      "taken"."handle",
      $3 as "display_name",
      cast($4 as timestamptz) as "created_at"
    from
      "taken"
    returning
      "id"
  )
insert into
  "members" (
    "organization_id",
    "person_id",
    "role",
    "created_at"
  )
select
  "made"."id",
  cast($5 as uuid) as "person_id",
  $6 as "role",
  cast($7 as timestamptz) as "created_at"
from
  "made";
