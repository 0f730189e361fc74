select
  "organisations"."handle",
  "members"."role"
from
  "members"
  inner join "organisations" on "organisations"."id" = "members"."organisation_id"
where
  "members"."person_id" = $1
  and "organisations"."handle" = any ($2);
