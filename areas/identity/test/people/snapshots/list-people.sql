select
  "handle",
  "display_name",
  "is_admin",
  "disabled_at",
  "created_at"
from
  "people"
where
  "handle" > $1
order by
  "handle"
limit
  $2;
