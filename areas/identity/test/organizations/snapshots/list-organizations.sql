select
  "organizations"."handle",
  "organizations"."display_name",
  "members"."role",
  (
    select
      count(*) as "count"
    from
      "members" as "everybody"
    where
      "everybody"."organization_id" = "organizations"."id"
  ) as "members"
from
  "members"
  inner join "organizations" on "organizations"."id" = "members"."organization_id"
where
  "members"."person_id" = $1
order by
  "organizations"."handle"
limit
  $2;
