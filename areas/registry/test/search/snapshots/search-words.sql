select
  "packages"."identifier"
from
  "packages"
where
  packages.is_listed
  and packages.visibility = 'public'
  and (
    "packages"."type" = $1
    and packages.tags @> $2::text[]
    and "packages"."owner" = $3
    and packages.fits && (
      select
        int4range ($4::integer, $5::integer, '[]')
    )
    and (
      not packages.fits @> 20000020
      or package_runs (
        packages.identifier,
        $6::text,
        $7::text,
        $8::integer[]
      )
    )
  )
order by
  "packages"."updated_at" desc
limit
  $9;

with
  "matches" as (
    select
      "packages"."identifier",
      "packages"."search"
    from
      "packages"
    where
      packages.names @@ $1::tsquery
      and packages.is_listed
      and packages.visibility = 'public'
      and (
        $2::boolean
        or (
          select
            count(*)
          from
            packages as a,
            packages as b
        ) < 0
      )
      and (
        "packages"."type" = $3
        and packages.tags @> $4::text[]
        and "packages"."owner" = $5
        and packages.fits && (
          select
            int4range ($6::integer, $7::integer, '[]')
        )
        and (
          not packages.fits @> 20000020
          or package_runs (
            packages.identifier,
            $8::text,
            $9::text,
            $10::integer[]
          )
        )
      )
    order by
      "packages"."updated_at" desc,
      identifier collate "C"
    limit
      $11
  ),
  "fetched" as (
    select
      "identifier",
      search || '' as "search"
    from
      "matches"
    offset
      0
  )
select
  "found"."identifier",
  "found"."rank"
from
  (
    select
      "identifier",
      (
        $12::float8 + ts_rank(
          '{0.02, 0.06, 0.2, 1}'::real[],
          search,
          $13::tsquery,
          32
        )::float8
      ) as "rank"
    from
      "fetched"
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

with
  "matches" as (
    select
      "packages"."identifier",
      "packages"."search"
    from
      "packages"
    where
      packages.names @@ $1::tsquery
      and packages.search @@ $2::tsquery
      and not packages.names @@ $3::tsquery
      and packages.is_listed
      and packages.visibility = 'public'
      and (
        $4::boolean
        or (
          select
            count(*)
          from
            packages as a,
            packages as b
        ) < 0
      )
      and (
        "packages"."type" = $5
        and packages.tags @> $6::text[]
        and "packages"."owner" = $7
        and packages.fits && (
          select
            int4range ($8::integer, $9::integer, '[]')
        )
        and (
          not packages.fits @> 20000020
          or package_runs (
            packages.identifier,
            $10::text,
            $11::text,
            $12::integer[]
          )
        )
      )
    order by
      "packages"."updated_at" desc,
      identifier collate "C"
    limit
      $13
  ),
  "fetched" as (
    select
      "identifier",
      search || '' as "search"
    from
      "matches"
    offset
      0
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
          when search @@ $14::tsquery then 1331
          else case
            when search @@ $15::tsquery then 121
            when search @@ $16::tsquery then 11
            else 1
          end
        end + case
          when search @@ $17::tsquery then 1331
          else case
            when search @@ $18::tsquery then 121
            when search @@ $19::tsquery then 11
            else 1
          end
        end + ts_rank(
          '{0.02, 0.06, 0.2, 1}'::real[],
          search,
          $20::tsquery,
          32
        )::float8
      ) as "rank"
    from
      "fetched"
  ) as "found"
where
  (
    rank < $21::float8
    or (
      rank = $22::float8
      and identifier collate "C" > $23
    )
  )
order by
  "found"."rank" desc,
  identifier collate "C"
limit
  $24;

select
  "packages"."identifier",
  "owner",
  "name",
  "description",
  "type",
  "author",
  "license",
  "tags",
  "icon_sha256",
  "visibility",
  "version",
  "status",
  "published_at",
  jsonb_build_object(
    'tool_version',
    "package_versions"."metadata" -> 'tool_version',
    'tool_version_max',
    "package_versions"."metadata" -> 'tool_version_max',
    'platforms',
    "package_versions"."metadata" -> 'platforms'
  ) as "version_metadata"
from
  "packages"
  left join "package_versions" on "package_versions"."identifier" = "packages"."identifier"
  and "package_versions"."version" = "packages"."latest_version"
where
  "packages"."identifier" = any ($1);
