import type { Db } from '@patchbay/kernel/postgres'
import type { FileInfo } from '@patchbay/package-trust/signing'
import { yieldEvery } from '@patchbay/primitives/async'
import { CompiledQuery, sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'
import { measureText } from '../trust/measure.ts'
import { LARGEST_SPARSE, type PackageRecord, spellForBrands } from './listed-package.ts'
import { batchesOf, type MeasuredPackage } from './record-batches.ts'
import { recordBytes } from './record-bytes.store.ts'
import { findPublicRecords } from './sparse.store.ts'

export interface SparseFile {
  readonly brand: string
  readonly identifier: string
  /** `null`: there is no such file anymore. */
  readonly info: FileInfo | null
}

interface SparseText extends SparseFile {
  readonly info: FileInfo
  readonly body: string
}

export interface SparseOptions {
  readonly brands: readonly string[]
  readonly publicUrl: string
  readonly fingerprint: string
  /** How many packages at most. */
  readonly most: number
}

export interface SparseRound {
  readonly files: readonly SparseFile[]
  readonly isMoreWaiting: boolean
}

/** Requests to this node wait so long at most, and for the step that is under way. */
export const LONGEST_STEP_MS = 10
/** Four values each, of the 65,535 that PostgreSQL takes in one statement. */
const ROWS_AT_ONCE = 5_000

/** Takes the marks of changed packages and stores what their sparse files will say from the commit on. */
export async function signedSparse(tx: Db<RegistryTables>, options: SparseOptions): Promise<SparseRound> {
  const { identifiers, isMoreWaiting } = await takeMarks(tx, options.most)
  if (identifiers.length === 0) return { files: [], isMoreWaiting }
  const texts = await spellAll(await findPublicRecords(tx, identifiers), options)
  const gone = await removeOthers(tx, identifiers, texts)
  await storeTexts(tx, texts, options.fingerprint)
  return { files: [...texts.map(withoutBody), ...gone], isMoreWaiting }
}

async function spellAll(
  records: readonly PackageRecord[],
  { brands, publicUrl }: SparseOptions,
): Promise<SparseText[]> {
  const yieldIfDue = yieldEvery(LONGEST_STEP_MS)
  const texts: SparseText[] = []
  for (const record of records) {
    for (const [index, body] of spellForBrands(record, brands, publicUrl).entries()) {
      if (body.length > LARGEST_SPARSE) continue
      texts.push({
        brand: brands[index] ?? '',
        identifier: record.identifier,
        info: measureText(body),
        body,
      })
    }
    await yieldIfDue()
  }
  return texts
}

/** Spelled by hand: putting a statement of this length together from its parts takes longer than carrying it out. */
async function storeTexts(
  tx: Db<RegistryTables>,
  texts: readonly SparseText[],
  fingerprint: string,
): Promise<void> {
  for (let start = 0; start < texts.length; start += ROWS_AT_ONCE) {
    const values = [fingerprint]
    const rows = texts.slice(start, start + ROWS_AT_ONCE).map(({ brand, identifier, info, body }) => {
      const last = values.push(brand, identifier, info.sha256, body)
      return `($${last - 3}, $${last - 2}, $${last - 1}, $${last}, $1)`
    })
    const insert = `
      insert into sparse_files (brand, identifier, sha256, body, fingerprint) values ${rows.join(', ')}
      on conflict (identifier, brand) do update
        set sha256 = excluded.sha256, body = excluded.body, fingerprint = excluded.fingerprint`
    await tx.executeQuery(CompiledQuery.raw(insert, values))
  }
}

function withoutBody({ brand, identifier, info }: SparseText): SparseFile {
  return { brand, identifier, info }
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
    await sql`delete from sparse_marks where identifier = any(${identifiers}::text[])`.execute(tx)
  return { identifiers, isMoreWaiting: rows.length === limit || identifiers.length < rows.length }
}

/** Of brands that are not served anymore, and of packages whose file has become too large. */
async function removeOthers(
  tx: Db<RegistryTables>,
  identifiers: readonly string[],
  kept: readonly SparseText[],
): Promise<SparseFile[]> {
  const { rows } = await sql<{ brand: string; identifier: string }>`
    select brand, identifier from sparse_files where identifier = any(${identifiers}::text[])`.execute(tx)
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
  return gone.map(({ brand, identifier }) => ({ brand, identifier, info: null }))
}
