import type { Db } from '@patchbay/kernel/postgres'
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { type AskedFit, askedFits, ROUGH, type Stretch } from '../packages/fits.ts'
import { toolKey } from '../packages/tool-key.ts'
import type { RegistryTables } from '../tables.ts'
import type { SearchAsked, SearchFilter } from './search.ts'

type Row = ExpressionBuilder<RegistryTables, 'packages'>

/** Written out: as parameters they would hide from the planner that the partial indexes fit. */
export const IS_FOUND = sql<SqlBool>`packages.is_listed and packages.visibility = 'public'`

export function fits(row: Row, { type, tag, owner, ...versions }: SearchFilter) {
  const stretch = askedFits(versions)
  return row.and([
    ...(type === undefined ? [] : [row('packages.type', '=', type)]),
    ...(tag === undefined ? [] : [sql<SqlBool>`packages.tags @> ${[tag]}::text[]`]),
    ...(owner === undefined ? [] : [row('packages.owner', '=', owner)]),
    ...(stretch === undefined ? [] : [fitsStretch(stretch)]),
    ...(versions.tool_version === undefined ? [] : [runsOn(versions, versions.tool_version)]),
  ])
}

/** As a value of its own: the range would be made again for every row, and it would take as long as all the rest. */
function fitsStretch({ first, last }: Stretch) {
  return sql<SqlBool>`packages.fits && (select int4range(${first}::integer, ${last}::integer, '[]'))`
}

/** All of it must be true of one version: a stable one for another platform helps nobody. */
function runsOn({ status, platform }: AskedFit, toolVersion: string) {
  const tool = toolKey(toolVersion, 0)
  return sql<SqlBool>`(not packages.fits @> ${sql.lit(ROUGH)} or package_runs(packages.identifier, ${status ?? null}::text, ${platform ?? null}::text, ${tool}::integer[]))`
}

/**
 * All that fit, if they are few; otherwise `undefined`. A filter that fits nothing would else be asked of every package
 * that has a word with this letter: how many fit is nothing that the planner can know.
 */
export async function findFewFitting(
  db: Db<RegistryTables>,
  { filter, fewAtMost }: Pick<SearchAsked, 'filter' | 'fewAtMost'>,
): Promise<string[] | undefined> {
  if (askedFits(filter) === undefined) return undefined
  const rows = await db
    .selectFrom('packages')
    .select('packages.identifier')
    .where(IS_FOUND)
    .where((row) => fits(row, filter))
    .orderBy('packages.updated_at', 'desc')
    .limit(fewAtMost + 1)
    .execute()
  return rows.length > fewAtMost ? undefined : rows.map(({ identifier }) => identifier)
}
