import { sql } from 'kysely'

/** For a query over `packages as p`: what has to be read for an entry, and of a delisted one no versions. */
export const recordBytes = sql`(octet_length(p.metadata::text) + (
  select coalesce(sum(octet_length(v.metadata::text)), 0)
  from package_versions v where v.identifier = p.identifier and p.is_listed))`
