select
  "id"
from
  "organizations"
where
  "handle" = $1
for no key update;

select
  "id"
from
  "people"
where
  "handle" = $1
for no key update;

select
  (
    select
      "role"
    from
      "members"
    where
      "organization_id" = $1
      and "person_id" = $2
  ) as "asking_role",
  (
    select
      "role"
    from
      "members"
    where
      "organization_id" = $3
      and "person_id" = $4
  ) as "former_role",
  (
    select
      count(*) as "count"
    from
      "members"
      inner join "people" on "people"."id" = "members"."person_id"
    where
      "organization_id" = $5
      and "role" = $6
      and "person_id" != $7
      and "people"."disabled_at" is null
  ) as "other_owners",
  (
    select
      count(*) as "count"
    from
      "members"
    where
      "organization_id" = $8
  ) as "members",
  (
    select
      count(*) as "count"
    from
      "members"
    where
      "person_id" = $9
  ) as "organizations_of_person",
  (
    select
      count(*) as "count"
    from
      "members"
    where
      "person_id" = $10
      and "role" = $11
  ) as "organizations_owned_by_person";

insert into
  "members" (
    "organization_id",
    "person_id",
    "role",
    "created_at"
  )
values
  ($1, $2, $3, $4)
on conflict ("organization_id", "person_id") do update
set
  "role" = $5;
