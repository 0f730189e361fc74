delete from "sessions"
where
  "person_id" = $1
  and "id" != $2
  and (
    "sessions"."expires_at" > $3
    and (
      "sessions"."idle_expires_at" is null
      or "sessions"."idle_expires_at" > $4
    )
  );
