select
  "id",
  "handle",
  "is_admin",
  "disabled_at"
from
  "people"
where
  (
    "handle" = $1
    or (
      "is_admin" = $2
      and "disabled_at" is null
    )
  )
order by
  "id"
for no key update;

update "people"
set
  "disabled_at" = $1
where
  "id" = $2
returning
  "handle",
  "display_name",
  "is_admin",
  "disabled_at",
  "created_at";

delete from "sessions"
where
  "person_id" = $1;

delete from "api_keys"
where
  "person_id" = $1;

delete from "trusted_publishers"
where
  "person_id" = $1;

delete from "invitations"
where
  "created_by" = $1;
