select
  "organizations"."handle",
  "members"."role"
from
  "members"
  inner join "organizations" on "organizations"."id" = "members"."organization_id"
where
  "members"."person_id" = $1
  and "organizations"."handle" = any ($2);
