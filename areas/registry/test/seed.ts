import { createHash } from 'node:crypto'
import type { Db } from '@patchbay/kernel/postgres'
import type { Package, PackageVersion } from '@patchbay/package-format'
import { sql } from 'kysely'
import { type NewVersion, packageColumns, versionColumns } from '../src/publish/publication.ts'
import type { RegistryTables } from '../src/tables.ts'
import { type ArchiveContent, metadataOf } from './archive.ts'

export interface Seed extends ArchiveContent {
  readonly owner?: string
  readonly visibility?: 'public' | 'private'
  readonly isListed?: boolean
  readonly updatedAt?: Date
  /** Over the fields of each of its versions; one by default. */
  readonly versions?: readonly Readonly<Record<string, unknown>>[]
}

const BATCH = 500
const NOW = new Date('2026-01-01T00:00:00Z')

/** Writes packages into the tables as publishing does, without archives: thousands of them in a second. */
export async function seedPackages(db: Db<RegistryTables>, seeds: readonly Seed[]): Promise<void> {
  for (let start = 0; start < seeds.length; start += BATCH) {
    const batch = seeds.slice(start, start + BATCH)
    await db
      .insertInto('packages')
      .values(
        batch.map((seed) => {
          const [first] = versionsOf(seed)
          return {
            identifier: identifierOf(seed),
            owner: seed.owner ?? 'ada',
            visibility: seed.visibility ?? 'public',
            is_listed: seed.isListed ?? true,
            latest_version: first?.version.version ?? null,
            created_at: NOW,
            updated_at: seed.updatedAt ?? NOW,
            ...packageColumns(newVersion(seed)),
          }
        }),
      )
      .execute()
    await db
      .insertInto('package_versions')
      .values(
        batch.flatMap((seed) =>
          versionsOf(seed).map((version) => ({
            identifier: version.metadata.identifier,
            ...versionColumns(version),
            published_at: NOW,
            published_by: seed.owner ?? 'ada',
          })),
        ),
      )
      .execute()
    await db
      .updateTable('packages')
      .set({ fits: sql<string>`package_fits(packages.identifier)` })
      .where('identifier', '=', (row) => row.fn.any(row.val(batch.map(identifierOf))))
      .execute()
  }
}

function identifierOf({ identifier = 'com.example.blinky' }: Seed): string {
  return identifier
}

function versionsOf(seed: Seed): NewVersion[] {
  return (seed.versions ?? [{}]).map((fields, index) =>
    newVersion({ ...seed, version: `1.${index}`, versionFields: fields }),
  )
}

function newVersion(seed: Seed): NewVersion {
  const metadata = metadataOf(seed) as unknown as Package
  const [version] = metadata.versions as [PackageVersion]
  const hash = createHash('sha256').update(JSON.stringify(metadata)).digest('hex')
  return {
    owner: seed.owner ?? 'ada',
    visibility: seed.visibility ?? 'public',
    metadata,
    version,
    objects: { archive: hash, icon: null, manifest: hash },
    archiveSize: 1,
    installSize: 1,
    sourceUrl: null,
  }
}
