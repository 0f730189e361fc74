import type { Db } from '@patchbay/kernel/postgres'
import { PLATFORMS, RUNTIMES, VERSION_STATUSES } from '@patchbay/package-format'
import { depth } from '@patchbay/testkit/depth'
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  subarray,
  tuple,
} from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchCondition } from '../../src/packages/search-words.ts'
import { searchPackages } from '../../src/search/search.store.ts'
import type { SearchAsked, SearchPlace } from '../../src/search/search.ts'
import type { RegistryTables } from '../../src/tables.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'
import { naiveFits, naivePlaces, type SmallPackage, seedOf } from './naive-search.ts'

const WORDS = ['led', 'ledger', 'drill', 'dr', 'export', 'bom', 'b2', 'le']
const TOOLS = ['6.0', '6.5', '7.0', '7.0.3', '8', '9.99']

const text = (maxLength: number) =>
  array(constantFrom(...WORDS), { minLength: 1, maxLength }).map((words) => words.join(' '))

const smallPackage = record({
  name: text(3),
  tags: subarray(WORDS.filter((word) => /^[a-z]+$/.test(word))),
  description: text(4),
  full: text(6),
  type: constantFrom('plugin' as const, 'library' as const),
  owner: constantFrom('ada', 'bob'),
  part: constantFrom(...WORDS, 'x'),
  day: integer({ min: 0, max: 5 }),
  isListed: integer({ min: 0, max: 9 }).map((number) => number > 0),
  versions: array(
    record({
      status: constantFrom(...VERSION_STATUSES),
      tools: tuple(constantFrom(...TOOLS), option(constantFrom(...TOOLS), { nil: undefined })),
      platforms: subarray([...PLATFORMS]),
      runtime: option(constantFrom(...RUNTIMES), { nil: undefined }),
    }).map(({ status, tools: [tool_version, tool_version_max], platforms, runtime }) => ({
      status,
      tool_version,
      ...(tool_version_max === undefined ? {} : { tool_version_max }),
      ...(platforms.length === 0 ? {} : { platforms }),
      ...(runtime === undefined ? {} : { runtime }),
    })),
    { minLength: 1, maxLength: 3 },
  ),
})

const packages = array(smallPackage, { minLength: 1, maxLength: 40 }).map((all) =>
  all.map(({ part, ...rest }, index): SmallPackage => ({ ...rest, identifier: `a.p${index}.${part}` })),
)

const maybe = <Value>(...values: Value[]) => option(constantFrom(...values), { nil: undefined, freq: 2 })
const search = record({
  words: array(constantFrom(...WORDS, 'l', 'e', 'd', 'a', 'none'), { maxLength: 4 }),
  limit: integer({ min: 1, max: 12 }),
  fewAtMost: constantFrom(0, 200),
  isFiltered: boolean(),
  filter: record({
    type: maybe('plugin' as const, 'library' as const),
    tag: maybe('led', 'drill', 'none'),
    owner: maybe('ada', 'bob', 'nobody'),
    platform: maybe(...PLATFORMS),
    runtime: maybe(...RUNTIMES),
    tool_version: maybe(...TOOLS, '5.0'),
    status: maybe(...VERSION_STATUSES),
  }),
})

test('[A-482] pages have what a look at every package would find, in the order of rank or of the last change', {
  timeout: 180_000,
}, async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await assert(
    asyncProperty(packages, array(search, { minLength: 10, maxLength: 30 }), async (given, searches) => {
      await sql`truncate packages cascade`.execute(node.db)
      await seedPackages(node.db, given.map(seedOf))
      for (const { words, limit, fewAtMost, isFiltered, filter: all } of searches) {
        const filter = isFiltered ? all : {}
        const q = words.join(' ')
        const expected = await rankAll(node.db, given, words, filter)
        const found = await readAll(node.db, { filter, condition: searchCondition(q), limit, fewAtMost })
        expect([q, filter, found]).toEqual([q, filter, expected])
      }
    }),
    { numRuns: depth({ common: 8, deep: 200 }), endOnFailure: true },
  )
})

async function readAll(
  db: Db<RegistryTables>,
  asked: Omit<SearchAsked, 'after' | 'rankedAtMost'>,
): Promise<string[]> {
  const found: string[] = []
  let after: SearchPlace | undefined
  do {
    const page = await searchPackages(db, { ...asked, after, rankedAtMost: 1_000 })
    expect(page.packages.length).toBeLessThanOrEqual(asked.limit)
    found.push(...page.packages.map(({ identifier }) => identifier))
    after = page.next
  } while (after !== undefined)
  return found
}

/** How often words occur is PostgreSQL's to say; where they stand, what fits and the order are not. */
async function rankAll(
  db: Db<RegistryTables>,
  given: readonly SmallPackage[],
  words: readonly string[],
  filter: SearchAsked['filter'],
): Promise<string[]> {
  const query = searchCondition(words.join(' '))?.all ?? ''
  const { rows } = await sql<{ identifier: string; often: number }>`
    select identifier, ts_rank('{0.02, 0.06, 0.2, 1}', search, ${query}::tsquery, 32)::float8 as often from packages
  `.execute(db)
  const often = new Map(rows.map((row) => [row.identifier, row.often]))
  const ranked = given.flatMap((each) => {
    const places = naiveFits(each, filter) ? naivePlaces(each, words) : undefined
    const { identifier, day } = each
    const rank = words.length === 0 ? day : (places ?? 0) + (often.get(identifier) ?? 0)
    return places === undefined ? [] : [{ identifier, rank }]
  })
  return ranked
    .toSorted((a, b) => b.rank - a.rank || (a.identifier < b.identifier ? -1 : 1))
    .map(({ identifier }) => identifier)
}
