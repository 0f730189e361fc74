import type { Db } from '@patchbay/kernel/postgres'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type AskedFit, askedFits, ROUGH, type Stretch } from '../packages/fits.ts'
import { toolKey } from '../packages/tool-key.ts'
import type { RegistryTables } from '../tables.ts'
import type { SearchAsked, SearchFilter } from './search.ts'

type Row = ExpressionBuilder<RegistryTables, 'packages'>

/**
 * Written out: as parameters they would hide from the planner that the partial indexes fit. A package whose versions are
 * all yanked or deleted fits nothing; `latest_version` says the same, but is in no index, and the table would be read.
 */
export const IS_FOUND = sql<SqlBool>`packages.is_listed and packages.visibility = 'public' and packages.fits <> '{}'`

export function fits(row: Row, { type, tag, owner, ...versions }: SearchFilter) {
  const stretch = askedFits(versions)
  return row.and([
    ...(type === undefined ? [] : [row('packages.type', '=', type)]),
    ...(tag === undefined ? [] : [sql<SqlBool>`packages.tags @> ${[tag]}::text[]`]),
    ...(owner === undefined ? [] : [row('packages.owner', '=', owner)]),
    ...(stretch === undefined ? [] : [fitsStretch(stretch)]),
    ...(versions.tool_version === undefined ? [] : [runsOn(versions)]),
  ])
}

/** As a value of its own: the range would be made again for every row, and it would take as long as all the rest. */
function fitsStretch({ first, last }: Stretch) {
  return sql<SqlBool>`packages.fits && (select int4range(${first}::integer, ${last}::integer, '[]'))`
}

/** All of it must be true of one version: a stable one for another platform helps nobody. */
function runsOn(asked: AskedFit) {
  return sql<SqlBool>`(not packages.fits @> ${sql.lit(ROUGH)} or ${versionFor(asked)} is not null)`
}

/** Which version of a package to show: the one that would be installed of those that fit, and without a filter the latest. */
export function shownVersion(filter: SearchFilter) {
  if (askedFits(filter) === undefined) return sql<string | null>`packages.latest_version`
  // A change of status may come between finding a package and showing it.
  return sql<string | null>`coalesce(${versionFor(filter)}, packages.latest_version)`
}

/** Null: none fits. */
function versionFor({ status, platform, runtime, tool_version: tool }: AskedFit) {
  const key = tool === undefined ? null : toolKey(tool, 0)
  return sql<
    string | null
  >`package_version_for(packages.identifier, ${status ?? null}::text, ${platform ?? null}::text, ${runtime ?? null}::text, ${key}::integer[])`
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
