with
  "matches" as (
    select
      "packages"."identifier",
      "packages"."search"
    from
      "packages"
    where
      packages.search @@ $1::tsquery
      and packages.is_listed
      and packages.visibility = 'public'
      and (
        "packages"."type" = $2
        and packages.tags @> $3::text[]
        and "packages"."owner" = $4
        and exists (
          select
            "package_versions"."version"
          from
            "package_versions"
          where
            "package_versions"."identifier" = "packages"."identifier"
            and "package_versions"."status" = $5
            and (
              package_versions.platforms = '{}'
              or $6 = any (package_versions.platforms)
            )
            and package_versions.tool_min <= $7::integer[]
            and package_versions.tool_max >= $8::integer[]
        )
      )
    order by
      "packages"."updated_at" desc,
      identifier collate "C"
    limit
      $9
  )
select
  "found"."identifier",
  "found"."rank"
from
  (
    select
      "identifier",
      (
        case
          when search @@ $10::tsquery then 1331
          when search @@ $11::tsquery then 121
          when search @@ $12::tsquery then 11
          else 1
        end + ts_rank(
          '{0.02, 0.06, 0.2, 1}'::real[],
          search,
          $13::tsquery,
          32
        )::float8
      ) as "rank"
    from
      "matches"
  ) as "found"
where
  (
    rank < $14::float8
    or (
      rank = $15::float8
      and identifier collate "C" > $16
    )
  )
order by
  "found"."rank" desc,
  identifier collate "C"
limit
  $17;
