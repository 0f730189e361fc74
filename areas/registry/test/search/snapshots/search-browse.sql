select
  "packages"."identifier",
  "packages"."updated_at" as "updatedAt"
from
  "packages"
where
  packages.is_listed
  and packages.visibility = 'public'
  and packages.fits <> '{}'
  and 1 = 1
  and "packages"."updated_at" <= $1
  and (
    packages.updated_at < $2
    or identifier collate "C" > $3
  )
order by
  "packages"."updated_at" desc,
  identifier collate "C"
limit
  $4;
