select
  "api_keys"."id",
  "api_keys"."name",
  "scopes",
  "last_used_at",
  "expires_at",
  "provenance",
  "people"."id" as "person_id",
  "handle",
  "display_name",
  "is_admin"
from
  "api_keys"
  inner join "people" on "people"."id" = "api_keys"."person_id"
where
  "key_hash" = $1
  and (
    "expires_at" is null
    or "expires_at" > $2
  )
  and "people"."disabled_at" is null;

update "api_keys"
set
  "last_used_at" = $1
where
  "id" = $2
  and (
    "last_used_at" is null
    or "last_used_at" <= $3
  );
