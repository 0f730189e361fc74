select
  "organisations"."handle",
  "organisations"."display_name",
  "members"."role",
  (
    select
      count(*) as "count"
    from
      "members" as "everybody"
    where
      "everybody"."organisation_id" = "organisations"."id"
  ) as "members"
from
  "members"
  inner join "organisations" on "organisations"."id" = "members"."organisation_id"
where
  "members"."person_id" = $1
order by
  "organisations"."handle"
limit
  $2;
