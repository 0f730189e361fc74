import type { Db } from '@patchbay/kernel/postgres'
import { recordSql } from '@patchbay/testkit/sql'
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SearchAsked, searchPackages } from '../../src/search/search.store.ts'
import { searchCondition } from '../../src/search/search-words.ts'
import type { RegistryTables } from '../../src/tables.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

const PACKAGES = 5_000

const asked = (query: Partial<SearchAsked> & { q?: string }): SearchAsked => ({
  filter: {},
  after: undefined,
  limit: 20,
  rankedAtMost: 20_000,
  ...query,
  condition: searchCondition(query.q ?? ''),
})

/** The first statement of a search as PostgreSQL would run it, by the names of the indexes in its plan. */
async function indexesOf(db: Db<RegistryTables>, query: SearchAsked): Promise<string[]> {
  const statements: CompiledQuery[] = []
  const notes: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await searchPackages(db.withPlugin(notes), query)
  const [first] = statements
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': unknown }>(
    CompiledQuery.raw(`explain (format json) ${first?.sql}`, [...(first?.parameters ?? [])]),
  )
  return [...JSON.stringify(rows).matchAll(/"Index Name":"([^"]+)"/g)].map((match) => match[1] ?? '')
}

let node: Awaited<ReturnType<typeof startRegistry>>

beforeAll(async () => {
  node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(
    node.db,
    Array.from({ length: PACKAGES }, (_, index) => ({
      identifier: `com.example.p${index}`,
      owner: `owner-${index % 100}`,
      updatedAt: new Date(Date.UTC(2026, 0, 1) + index * 1_000),
      package: {
        name: `Thing ${index}`,
        description: `Does w${index % 200} and more`,
        tags: [`tag-${index % 50}`],
      },
      versions: [{ tool_version: `${6 + (index % 4)}.0` }, { status: 'testing' }, { platforms: ['linux'] }],
    })),
  )
  await sql`analyze`.execute(node.db)
  return () => node[Symbol.asyncDispose]()
})

test('[A-47] with 5,000 packages, words, tags, types and browsing use their indexes', async () => {
  const { db } = node
  expect(await indexesOf(db, asked({ q: 'w42' }))).toContain('packages_by_search')
  expect(await indexesOf(db, asked({ q: 'thing 42' }))).toContain('packages_by_search')
  expect(await indexesOf(db, asked({}))).toEqual(['packages_by_update'])
  const after = { by: 'update', updatedAt: new Date(Date.UTC(2026, 0, 1, 0, 30)), identifier: 'a.b' } as const
  expect(await indexesOf(db, asked({ after }))).toEqual(['packages_by_update'])
  expect(await indexesOf(db, asked({ filter: { tag: 'tag-7' } }))).toContain('packages_by_tags')
  expect(await indexesOf(db, asked({ filter: { type: 'library' } }))).toEqual(['packages_by_type'])
  const compatible = asked({ filter: { tool_version: '8.0', platform: 'linux' } })
  expect(await indexesOf(db, compatible)).toContain('packages_by_update')
})

test('[A-47] the SQL of a search is committed', async () => {
  const filter = {
    type: 'plugin',
    tag: 'led',
    owner: 'ada',
    platform: 'linux',
    tool_version: '8.0',
    status: 'stable',
  } as const
  const record = (query: SearchAsked) => recordSql(node.db, (db) => searchPackages(db, query))
  const ranked = { by: 'rank', rank: 0.5, identifier: 'a.b' } as const
  await expect(await record(asked({ q: 'thing', filter, after: ranked }))).toMatchFileSnapshot(
    'snapshots/search-words.sql',
  )
  const updated = { by: 'update', updatedAt: new Date(0), identifier: 'a.b' } as const
  await expect(await record(asked({ after: updated }))).toMatchFileSnapshot('snapshots/search-browse.sql')
})

test('[A-48] of more matches than are ranked, those that changed last are', async () => {
  const search = (rankedAtMost: number) =>
    searchPackages(node.db, asked({ q: 'w42', limit: 50, rankedAtMost }))
  const few = (await search(3)).packages.map(({ identifier }) => identifier)
  expect(few).toEqual(['com.example.p4442', 'com.example.p4642', 'com.example.p4842'])
  expect((await search(20_000)).packages).toHaveLength(25)
})
