select
  "packages"."identifier"
from
  "packages"
where
  packages.is_listed
  and packages.visibility = 'public'
  and packages.fits <> '{}'
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
      or package_version_for (
        packages.identifier,
        $6::text,
        $7::text,
        $8::text,
        $9::integer[]
      ) is not null
    )
  )
order by
  "packages"."updated_at" desc
limit
  $10;

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
      and packages.fits <> '{}'
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
      and "packages"."identifier" = any ($3)
    order by
      "packages"."updated_at" desc,
      identifier collate "C"
    limit
      $4
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
        $5::float8 + ts_rank(
          '{0.02, 0.06, 0.2, 1}'::real[],
          search,
          $6::tsquery,
          32
        )::float8
      ) as "rank"
    from
      "fetched"
  ) as "found"
order by
  "found"."rank" desc,
  identifier collate "C"
limit
  $7;

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
      and packages.fits <> '{}'
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
      and "packages"."identifier" = any ($5)
    order by
      "packages"."updated_at" desc,
      identifier collate "C"
    limit
      $6
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
          when search @@ $7::tsquery then 1331
          else case
            when search @@ $8::tsquery then 121
            when search @@ $9::tsquery then 11
            else 1
          end
        end + case
          when search @@ $10::tsquery then 1331
          else case
            when search @@ $11::tsquery then 121
            when search @@ $12::tsquery then 11
            else 1
          end
        end + ts_rank(
          '{0.02, 0.06, 0.2, 1}'::real[],
          search,
          $13::tsquery,
          32
        )::float8
      ) as "rank"
    from
      "fetched"
  ) as "found"
order by
  "found"."rank" desc,
  identifier collate "C"
limit
  $14;

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
    "package_versions"."metadata" -> 'platforms',
    'runtime',
    "package_versions"."metadata" -> 'runtime'
  ) as "version_metadata"
from
  "packages"
  left join "package_versions" on "package_versions"."identifier" = "packages"."identifier"
  and "package_versions"."version" = coalesce(
    package_version_for (
      packages.identifier,
      $1::text,
      $2::text,
      $3::text,
      $4::integer[]
    ),
    packages.latest_version
  )
where
  "packages"."identifier" = any ($5);
