import type { Db } from '@patchbay/kernel/postgres'
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import type { StoredSummary } from '../packages/summary.ts'
import { findSummaries } from '../packages/summary.store.ts'
import { toolKey } from '../packages/tool-key.ts'
import type { RegistryTables } from '../tables.ts'
import type { SearchFilter, SearchPlace } from './search.ts'
import type { SearchCondition } from './search-words.ts'

export interface SearchAsked {
  readonly filter: SearchFilter
  readonly condition: SearchCondition | undefined
  readonly after: SearchPlace | undefined
  readonly limit: number
  /** A letter that begins a word of every package must not cost as much as all of them. */
  readonly rankedAtMost: number
}

export interface SearchPage {
  readonly packages: readonly StoredSummary[]
  readonly next: SearchPlace | undefined
}

/** Among packages that have as many words in the same fields: one place in a higher field against many in a lower. */
const WEIGHTS = sql`'{0.02, 0.06, 0.2, 1}'::real[]`

/** Written out: as parameters they would hide from the planner that the partial indexes fit. */
const IS_FOUND = sql<SqlBool>`packages.is_listed and packages.visibility = 'public'`

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
    ),
    next: places.length > asked.limit ? page.at(-1) : undefined,
  }
}

async function findByWords(
  db: Db<RegistryTables>,
  { filter, after, limit, rankedAtMost }: SearchAsked,
  condition: SearchCondition,
): Promise<SearchPlace[]> {
  const query = sql`${condition.all}::tsquery`
  const rows = await db
    .with('matches', (matches) =>
      matches
        .selectFrom('packages')
        .select(['packages.identifier', 'packages.search'])
        .where(sql<SqlBool>`packages.search @@ ${query}`)
        .where(IS_FOUND)
        .where((row) => fits(row, filter))
        .orderBy('packages.updated_at', 'desc')
        .orderBy(ORDER)
        .limit(rankedAtMost),
    )
    .selectFrom((ranked) =>
      ranked
        .selectFrom('matches')
        .select(['identifier', rankOf(condition).as('rank')])
        .as('found'),
    )
    .select(['found.identifier', 'found.rank'])
    .$if(after?.by === 'rank', (found) => {
      const from = after?.by === 'rank' ? after : { rank: 0, identifier: '' }
      return found.where(
        sql<SqlBool>`(rank < ${from.rank}::float8 or (rank = ${from.rank}::float8 and ${ORDER} > ${from.identifier}))`,
      )
    })
    .orderBy('found.rank', 'desc')
    .orderBy(ORDER)
    .limit(limit + 1)
    .execute()
  return rows.map((row) => ({ by: 'rank', ...row }))
}

/**
 * How many words stand in the name, then in identifier or tags, then in the description: ten in a lower field weigh less
 * than one in the next. `ts_rank` of all words at once would look at how close they are, and not at where they stand; of
 * an unfinished word it adds up all its endings. It decides among equals, below 1 by its option 32.
 */
function rankOf({ all, words }: SearchCondition) {
  const places = words.map(
    ({ inName, inTags, inDescription }) =>
      sql`case when search @@ ${inName}::tsquery then 1331 when search @@ ${inTags}::tsquery then 121 when search @@ ${inDescription}::tsquery then 11 else 1 end`,
  )
  return sql<number>`(${sql.join(places, sql` + `)} + ts_rank(${WEIGHTS}, search, ${all}::tsquery, 32)::float8)`
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

function fits(row: ExpressionBuilder<RegistryTables, 'packages'>, filter: SearchFilter) {
  const { type, tag, owner, platform, tool_version: toolVersion, status } = filter
  return row.and([
    ...(type === undefined ? [] : [row('packages.type', '=', type)]),
    ...(tag === undefined ? [] : [sql<SqlBool>`packages.tags @> ${[tag]}::text[]`]),
    ...(owner === undefined ? [] : [row('packages.owner', '=', owner)]),
    ...(platform === undefined && toolVersion === undefined && status === undefined
      ? []
      : [row.exists(fittingVersion(row, filter))]),
  ])
}

/** All of it must be true of one version: a stable one for another platform helps nobody. */
function fittingVersion(
  row: ExpressionBuilder<RegistryTables, 'packages'>,
  { platform, tool_version: toolVersion, status }: SearchFilter,
) {
  const tool = toolVersion === undefined ? [] : toolKey(toolVersion, 0)
  return row
    .selectFrom('package_versions')
    .select('package_versions.version')
    .whereRef('package_versions.identifier', '=', 'packages.identifier')
    .$if(status !== undefined, (version) => version.where('package_versions.status', '=', status ?? 'stable'))
    .$if(platform !== undefined, (version) =>
      version.where(
        sql<SqlBool>`(package_versions.platforms = '{}' or ${platform} = any (package_versions.platforms))`,
      ),
    )
    .$if(toolVersion !== undefined, (version) =>
      version.where(
        sql<SqlBool>`package_versions.tool_min <= ${tool}::integer[] and package_versions.tool_max >= ${tool}::integer[]`,
      ),
    )
}
