import { MOST_FEED_ADDRESSES } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import { MAX_VERSIONS } from './packages/package.ts'
import type { RegistryTables } from './tables.ts'

export const registryRetention: RetentionOf<RegistryTables> = {
  packages: { bound: 'one row for each package: what somebody installed stays what it was' },
  package_versions: { bound: `${MAX_VERSIONS} for each package` },
  deleted_versions: { bound: `with the versions that there are, ${MAX_VERSIONS} for each package` },
  loose_objects: { keptFor: '24 hours after it was noted, with the object unless something names it' },
  feed_addresses: { bound: `${MOST_FEED_ADDRESSES} for each owner` },
  registry_audit: { keptFor: 'as many days as are set', setting: 'PATCHBAY_AUDIT_RETENTION_DAYS' },
  feeds: { bound: '2 for each owner, and one of the installation' },
  index_leases: { bound: 'one row for each kind of work' },
  feed_files: { keptFor: '24 hours after a newer one replaced them; the current ones of each feed' },
  sparse_marks: { bound: 'one row for each public package' },
  sparse_files: { bound: 'one row for each public package and tool brand' },
  trust_roles: { bound: 'one row for each role of the signed index' },
  trust_metadata: { keptFor: '1 hour after newer metadata replaced it; the current ones, and every root' },
}
