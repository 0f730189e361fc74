import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { FeedName } from '../files/addresses.ts'
import { INSTALLATION } from '../installation.ts'
import type { RegistryTables } from '../tables.ts'
import type { FeedState } from './feed.ts'
import type { PackageRecord } from './listed-package.ts'
import { batchesOf, type MeasuredPackage } from './record-batches.ts'
import { recordBytes } from './record-bytes.store.ts'

const PAGE = 200

export interface FeedRow {
  readonly revision: number
  readonly builtRevision: number
  readonly files: FeedState | null
}

export interface FeedReader {
  readonly row: FeedRow
  /** In the order of identifiers, by bytes. What is not wanted is not read. */
  read(isWanted: (package_: MeasuredPackage) => boolean): AsyncIterable<PackageRecord>
}

/**
 * Reads a feed's revision and its packages as of one moment: a change that commits meanwhile has a later revision, and
 * is either wholly in what is read or not at all.
 */
export function readFeed<Result>(
  db: Db<RegistryTables>,
  feed: FeedName,
  use: (reader: FeedReader) => Promise<Result>,
): Promise<Result> {
  return inTransaction(
    db,
    async (tx) => {
      const row = await tx
        .selectFrom('feeds')
        .select(['revision', 'built_revision', 'files'])
        .where('owner', '=', feed.owner)
        .where('visibility', '=', feed.visibility)
        .executeTakeFirst()
      const files = (row?.files ?? null) as FeedState | null
      const { revision = 0, built_revision: builtRevision = 0 } = row ?? {}
      return use({ row: { revision, builtRevision, files }, read: (isWanted) => pagesOf(tx, feed, isWanted) })
    },
    { isolation: 'repeatable read' },
  )
}

/** A page of names, then the packages in batches: one may have hundreds of versions with much text in each. */
async function* pagesOf(
  tx: Db<RegistryTables>,
  feed: FeedName,
  isWanted: (package_: MeasuredPackage) => boolean,
): AsyncGenerator<PackageRecord> {
  for (let after = ''; ; ) {
    const page: MeasuredPackage[] = await selectPage(tx, feed, after).execute()
    for (const batch of batchesOf(page.filter(isWanted))) yield* await readBatch(tx, batch)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.identifier
  }
}

/** One page, by an index in that order. */
export function selectPage(tx: Db<RegistryTables>, { owner, visibility }: FeedName, after: string) {
  return tx
    .selectFrom('packages as p')
    .select(['p.identifier', sql<number>`${recordBytes}::float8`.as('bytes')])
    .where(sql`p.identifier collate "C"`, '>', after)
    .where('p.quarantined_at', 'is', null)
    .$if(owner !== INSTALLATION, (query) => query.where('p.owner', '=', owner))
    .$if(visibility === 'public', (query) => query.where('p.visibility', '=', 'public'))
    .orderBy(sql`p.identifier collate "C"`)
    .limit(PAGE)
}

async function readBatch(
  tx: Db<RegistryTables>,
  batch: readonly MeasuredPackage[],
): Promise<PackageRecord[]> {
  const identifiers = batch.map(({ identifier }) => identifier)
  const records = await selectRecords(tx).where('p.identifier', 'in', identifiers).execute()
  const byIdentifier = new Map(records.map((record) => [record.identifier, record]))
  return identifiers.flatMap((identifier) => byIdentifier.get(identifier) ?? [])
}

/** Packages with all their versions, one row each. */
export function selectRecords(db: Db<RegistryTables>) {
  return db.selectFrom('packages as p').select([
    'p.identifier',
    'p.owner',
    'p.metadata',
    'p.is_listed as isListed',
    'p.icon_sha256 as iconSha256',
    sql<PackageRecord['versions']>`(
      select coalesce(json_agg(json_build_object(
        'version', v.version, 'status', v.status, 'metadata', v.metadata, 'archiveSha256', v.archive_sha256,
        'archiveSize', v.archive_size, 'installSize', v.install_size, 'manifestSha256', v.manifest_sha256,
        'isYanked', v.yanked_at is not null, 'yankReason', v.yank_reason
      ) order by v.sort_key desc), '[]')
      from package_versions v where v.identifier = p.identifier and p.is_listed)`.as('versions'),
  ])
}
