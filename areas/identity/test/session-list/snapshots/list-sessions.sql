select
  "sessions"."id",
  "kind",
  "label",
  "user_agent",
  "network",
  "last_used_at",
  "expires_at",
  "sessions"."created_at",
  "people"."sessions_seen_at"
from
  "sessions"
  inner join "people" on "people"."id" = "sessions"."person_id"
where
  "sessions"."person_id" = $1
  and (
    "sessions"."expires_at" > $2
    and (
      "sessions"."idle_expires_at" is null
      or "sessions"."idle_expires_at" > $3
    )
  )
  and ("sessions"."created_at", "sessions"."id") < ($4, $5)
order by
  "sessions"."created_at" desc,
  "sessions"."id" desc
limit
  $6;
