import type { Db } from '@patchbay/kernel/postgres'
import { type SqlBool, sql } from 'kysely'
import { findSummaries } from '../packages/summary.store.ts'
import type { StoredSummary } from '../packages/summary.ts'
import type { RegistryTables } from '../tables.ts'
import { fits, IS_FOUND, shownVersion } from './filter.store.ts'
import { findByWords } from './ranked.store.ts'
import type { SearchAsked, SearchPlace } from './search.ts'

export interface SearchPage {
  readonly packages: readonly StoredSummary[]
  readonly next: SearchPlace | undefined
}

const ORDER = sql`identifier collate "C"`

/** Public and listed packages that fit, the best first; among equals by identifier, so that pages never overlap. */
export async function searchPackages(db: Db<RegistryTables>, asked: SearchAsked): Promise<SearchPage> {
  const places =
    asked.condition === undefined
      ? await findByUpdate(db, asked)
      : await findByWords(db, asked, asked.condition)
  const page = places.slice(0, asked.limit)
  return {
    packages: await findSummaries(
      db,
      page.map(({ identifier }) => identifier),
      shownVersion(asked.filter),
    ),
    next: places.length > asked.limit ? page.at(-1) : undefined,
  }
}

async function findByUpdate(
  db: Db<RegistryTables>,
  { filter, after, limit }: SearchAsked,
): Promise<SearchPlace[]> {
  const rows = await db
    .selectFrom('packages')
    .select(['packages.identifier', 'packages.updated_at as updatedAt'])
    .where(IS_FOUND)
    .where((row) => fits(row, filter))
    .$if(after?.by === 'update', (found) => {
      const from = after?.by === 'update' ? after : { updatedAt: new Date(0), identifier: '' }
      return found
        .where('packages.updated_at', '<=', from.updatedAt)
        .where(sql<SqlBool>`(packages.updated_at < ${from.updatedAt} or ${ORDER} > ${from.identifier})`)
    })
    .orderBy('packages.updated_at', 'desc')
    .orderBy(ORDER)
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({ by: 'update', ...row }))
}
