import { createHash } from 'node:crypto'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import { LARGEST_SPARSE, spellPackage } from '../feeds/listed-package.ts'
import { batchesOf, type MeasuredPackage } from '../feeds/record-batches.ts'
import { recordBytes } from '../feeds/record-bytes.store.ts'
import { findPublicRecords } from '../feeds/sparse.store.ts'
import type { RegistryTables } from '../tables.ts'

export interface SparseText {
  readonly brand: string
  readonly identifier: string
  /** Absent: there is no such file any more. */
  readonly body: string | undefined
}

export interface SparseOptions {
  readonly brands: readonly string[]
  readonly publicUrl: string
  readonly fingerprint: string
  /** How many packages at most. */
  readonly most: number
}

export interface SparseRound {
  readonly texts: readonly SparseText[]
  readonly isMoreWaiting: boolean
}

/** PostgreSQL takes 65,535 in one statement. */
const MOST_VALUES = 60_000
const COLUMNS = 5

/** Takes the marks of changed packages and stores what their sparse files will say from the commit on. */
export async function signedSparse(
  tx: Db<RegistryTables>,
  { brands, publicUrl, fingerprint, most }: SparseOptions,
): Promise<SparseRound> {
  const limit = Math.min(most, Math.floor(MOST_VALUES / (COLUMNS * brands.length)))
  const { identifiers, isMoreWaiting } = await takeMarks(tx, limit)
  if (identifiers.length === 0) return { texts: [], isMoreWaiting }
  const records = await findPublicRecords(tx, identifiers)
  const spelled = records.flatMap((record) =>
    brands.map((brand) => ({
      brand,
      identifier: record.identifier,
      body: spellPackage(record, brand, publicUrl),
    })),
  )
  const texts = spelled.filter(({ body }) => body.length <= LARGEST_SPARSE)
  const gone = await removeOthers(tx, identifiers, texts)
  if (texts.length > 0)
    await tx
      .insertInto('sparse_files')
      .values(
        texts.map((text) => ({
          ...text,
          sha256: createHash('sha256').update(text.body).digest('hex'),
          fingerprint,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['brand', 'identifier']).doUpdateSet((row) => ({
          sha256: row.ref('excluded.sha256'),
          body: row.ref('excluded.body'),
          fingerprint: row.ref('excluded.fingerprint'),
        })),
      )
      .execute()
  return { texts: [...texts, ...gone], isMoreWaiting }
}

/** The newest first: whoever has just published waits for it, and those of a first signing do not. */
async function takeMarks(
  tx: Db<RegistryTables>,
  limit: number,
): Promise<{ identifiers: string[]; isMoreWaiting: boolean }> {
  const { rows } = await sql<MeasuredPackage>`
    with marks as (
      select identifier from sparse_marks order by marked_at desc limit ${limit} for update skip locked)
    select m.identifier, coalesce((select ${recordBytes} from packages p where p.identifier = m.identifier), 0)::float8
      as bytes from marks m`.execute(tx)
  const [first = []] = batchesOf(rows)
  const identifiers = first.map(({ identifier }) => identifier)
  if (identifiers.length > 0)
    await tx.deleteFrom('sparse_marks').where('identifier', 'in', identifiers).execute()
  return { identifiers, isMoreWaiting: rows.length === limit || identifiers.length < rows.length }
}

/** Of brands that are not served any more, and of packages whose file has become too large. */
async function removeOthers(
  tx: Db<RegistryTables>,
  identifiers: readonly string[],
  kept: readonly SparseText[],
): Promise<SparseText[]> {
  const rows = await tx
    .selectFrom('sparse_files')
    .select(['brand', 'identifier'])
    .where('identifier', 'in', identifiers)
    .execute()
  const keptKeys = new Set(kept.map(({ brand, identifier }) => `${brand} ${identifier}`))
  const gone = rows.filter(({ brand, identifier }) => !keptKeys.has(`${brand} ${identifier}`))
  for (const brand of new Set(gone.map((each) => each.brand)))
    await tx
      .deleteFrom('sparse_files')
      .where('brand', '=', brand)
      .where(
        'identifier',
        'in',
        gone.filter((each) => each.brand === brand).map(({ identifier }) => identifier),
      )
      .execute()
  return gone.map(({ brand, identifier }) => ({ brand, identifier, body: undefined }))
}
