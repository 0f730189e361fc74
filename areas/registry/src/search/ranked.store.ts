import type { Db } from '@patchbay/kernel/postgres'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchCondition, WordPlaces } from '../packages/search-words.ts'
import type { RegistryTables } from '../tables.ts'
import { findFewFitting, fits, IS_FOUND } from './filter.store.ts'
import type { SearchAsked, SearchPlace } from './search.ts'

/** Ten words in a lower field weigh less than one in the next. */
const IN_NAME = 1331
const IN_TAGS = 121
const IN_DESCRIPTION = 11

/** Among packages that have as many words in the same fields: one place in a higher field against many in a lower. */
const WEIGHTS = sql`'{0.02, 0.06, 0.2, 1}'::real[]`

const ORDER = sql`identifier collate "C"`

/**
 * A prepared statement gets one plan for all words, which reads a hundred packages fast and all of them slowly, as soon
 * as that plan looks as cheap as those for the words at hand. With its value known this is nothing; without, it looks
 * more expensive than any search. It is never run.
 */
const PLANNED_FOR_ITS_WORDS = sql<SqlBool>`(${true}::boolean or (select count(*) from packages as a, packages as b) < 0)`

/** Packages that have as much of the search in their names. */
interface Tier {
  readonly matches: RawBuilder<SqlBool>
  readonly places: RawBuilder<number>
  /** All ranks are at least this, and those of the next tier are below. */
  readonly lowest: number
}

/**
 * Tier by tier until the page is full: as a rule the names fill it, and nobody has to look at all the packages whose
 * descriptions have a word that begins with this letter.
 */
export async function findByWords(
  db: Db<RegistryTables>,
  asked: SearchAsked,
  condition: SearchCondition,
): Promise<SearchPlace[]> {
  const after = asked.after?.by === 'rank' ? asked.after.rank : Infinity
  const few = await findFewFitting(db, asked)
  if (few?.length === 0) return []
  const found: SearchPlace[] = []
  for (const tier of tiersOf(condition)) {
    const missing = asked.limit + 1 - found.length
    if (missing > 0 && after >= tier.lowest)
      found.push(...(await findInTier(db, { ...asked, limit: missing }, condition, tier, few)))
  }
  return found
}

function tiersOf({ all, any, words }: SearchCondition): Tier[] {
  const hasAll = sql`packages.search @@ ${all}::tsquery`
  const namesAll = sql<SqlBool>`packages.names @@ ${all}::tsquery`
  const namesAny = sql<SqlBool>`packages.names @@ ${any}::tsquery`
  const everyName = words.length * IN_NAME
  const inAllNames = { matches: namesAll, places: sql<number>`${everyName}::float8`, lowest: everyName }
  const inSomeNames = {
    matches: sql<SqlBool>`${namesAny} and ${hasAll} and not ${namesAll}`,
    places: sum(words.map(placeOf)),
    lowest: IN_NAME,
  }
  const inNoNames = {
    matches: sql<SqlBool>`${hasAll} and not ${namesAny}`,
    places: sum(words.map(placeBelowName)),
    lowest: 0,
  }
  return words.length === 1 ? [inAllNames, inNoNames] : [inAllNames, inSomeNames, inNoNames]
}

/**
 * `ts_rank` of all words at once would look at how close they are, and not at where they stand; of an unfinished word it
 * adds up all its endings. It decides among equals, below 1 by its option 32.
 */
async function findInTier(
  db: Db<RegistryTables>,
  { filter, after, limit, rankedAtMost }: SearchAsked,
  { all }: SearchCondition,
  { matches, places }: Tier,
  among: readonly string[] | undefined,
): Promise<SearchPlace[]> {
  const rank = sql<number>`(${places} + ts_rank(${WEIGHTS}, search, ${all}::tsquery, 32)::float8)`
  const rows = await db
    .with('matches', (query) =>
      query
        .selectFrom('packages')
        .select(['packages.identifier', 'packages.search'])
        .where(matches)
        .where(IS_FOUND)
        .where(PLANNED_FOR_ITS_WORDS)
        .where((row) =>
          among === undefined
            ? fits(row, filter)
            : row('packages.identifier', '=', row.fn.any(row.val([...among]))),
        )
        .orderBy('packages.updated_at', 'desc')
        .orderBy(ORDER)
        .limit(rankedAtMost),
    )
    // A copy, and `offset 0` so that it stays one: the large value would be fetched again for every question about it.
    .with('fetched', (query) =>
      query
        .selectFrom('matches')
        .select(['identifier', sql`search || ''`.as('search')])
        .offset(sql.lit(0)),
    )
    .selectFrom((query) =>
      query
        .selectFrom('fetched')
        .select(['identifier', rank.as('rank')])
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
    .limit(limit)
    .execute()
  return rows.map((row) => ({ by: 'rank', ...row }))
}

function placeOf(word: WordPlaces) {
  return sql`case when search @@ ${word.inName}::tsquery then ${sql.lit(IN_NAME)} else ${placeBelowName(word)} end`
}

function placeBelowName({ inTags, inDescription }: WordPlaces) {
  return sql`case when search @@ ${inTags}::tsquery then ${sql.lit(IN_TAGS)} when search @@ ${inDescription}::tsquery then ${sql.lit(IN_DESCRIPTION)} else 1 end`
}

function sum(terms: readonly RawBuilder<unknown>[]): RawBuilder<number> {
  return sql<number>`${sql.join(terms, sql` + `)}`
}
