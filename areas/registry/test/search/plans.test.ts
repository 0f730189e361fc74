import type { Db } from '@patchbay/kernel/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { recordSql } from '@patchbay/testkit/sql'
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { searchCondition } from '../../src/packages/search-words.ts'
import { searchPackages } from '../../src/search/search.store.ts'
import type { SearchAsked } from '../../src/search/search.ts'
import type { RegistryTables } from '../../src/tables.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

const PACKAGES = 5_000

const asked = (query: Partial<SearchAsked> & { q?: string }): SearchAsked => ({
  filter: {},
  after: undefined,
  limit: 20,
  rankedAtMost: 1_000,
  fewAtMost: 200,
  ...query,
  condition: searchCondition(query.q ?? ''),
})

async function statementsOf(db: Db<RegistryTables>, query: SearchAsked): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const notes: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await searchPackages(db.withPlugin(notes), query)
  return statements
}

/** How PostgreSQL runs the first statement of a search: the kinds of its scans and the indexes they use. */
async function scansOf(db: Db<RegistryTables>, query: SearchAsked): Promise<string[]> {
  const [first] = await statementsOf(db, query)
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': unknown }>(
    CompiledQuery.raw(`explain (format json) ${first?.sql}`, [...(first?.parameters ?? [])]),
  )
  return [...JSON.stringify(rows).matchAll(/"(?:Index Name|Node Type)":"([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
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
  // Seeding leaves each index with dead entries, more or fewer by when the server's own cleaning came by: at twice its
  // size an index costs about as much as the table, and the plan is a matter of luck.
  await sql`reindex table packages`.execute(node.db)
  // The server's own analysis may look at the table meanwhile. Until it is done some pages do not count as settled, and
  // an index alone would not do.
  await waitUntil('every page is known to be settled', async () => {
    await sql`vacuum analyze packages, package_versions`.execute(node.db)
    const { rows } = await sql<{ settled: boolean }>`
      select relallvisible >= relpages as settled from pg_class where oid = 'packages'::regclass`.execute(
      node.db,
    )
    return rows[0]?.settled === true
  })
  return () => node[Symbol.asyncDispose]()
})

test('[A-47] with 5,000 packages, words, tags and browsing use their indexes', async () => {
  const { db } = node
  expect(await scansOf(db, asked({ q: '42' }))).toContain('packages_by_names')
  expect(await scansOf(db, asked({ q: 'thing 42' }))).toContain('packages_by_names')
  expect(await scansOf(db, asked({ filter: { tag: 'tag-7' } }))).toContain('packages_by_tags')
  const isRead = expect.arrayContaining(['Index Only Scan', 'packages_by_update'])
  expect(await scansOf(db, asked({}))).toEqual(isRead)
  const after = { by: 'update', updatedAt: new Date(Date.UTC(2026, 0, 1, 0, 30)), identifier: 'a.b' } as const
  expect(await scansOf(db, asked({ after }))).toEqual(isRead)
})

test('[A-47] words that no name has are looked for in the index of all words', async () => {
  const statements = await statementsOf(node.db, asked({ q: 'w42' }))
  const [, others] = statements.filter(({ sql: text }) => text.includes('ts_rank'))
  const { rows } = await node.db.executeQuery(
    CompiledQuery.raw(`explain (format json) ${others?.sql}`, [...(others?.parameters ?? [])]),
  )
  expect(JSON.stringify(rows)).toContain('"Index Name":"packages_by_search"')
})

test('[A-483] a filter by type, status, platform or tool version reads one index and no table', async () => {
  const filters = [
    { type: 'library' },
    { status: 'development' },
    { type: 'plugin', status: 'development' },
    { tool_version: '5.0' },
    { tool_version: '8.0', platform: 'linux', status: 'stable' },
  ] as const
  for (const filter of filters) {
    const scans = await scansOf(node.db, asked({ filter }))
    expect([filter, scans.filter((name) => / Scan$|^packages/.test(name)).slice(0, 2)]).toEqual([
      filter,
      ['Index Only Scan', 'packages_by_update'],
    ])
  }
})

test('[A-484] a page that names fill, or a filter that fits nothing, is found without looking at all words', async () => {
  const tiersAsked = async (query: Parameters<typeof asked>[0]) =>
    (await statementsOf(node.db, asked(query))).filter(({ sql: text }) => text.includes('ts_rank')).length
  expect(await tiersAsked({ q: 't' })).toBe(1)
  expect(await tiersAsked({ q: 'thing 4' })).toBe(1)
  expect(await tiersAsked({ q: 'w42' })).toBe(2)
  expect(await tiersAsked({ q: 't', filter: { status: 'development' } })).toBe(0)
  const last = { by: 'rank', rank: 5, identifier: 'a.b' } as const
  expect(await tiersAsked({ q: 'thing w42', after: last })).toBe(1)
})

test('[A-485] a search is planned for its own words, however often others were asked before', async () => {
  await node.db.connection().execute(async (db) => {
    for (let index = 0; index < 12; index += 1) await searchPackages(db, asked({ q: `thing ${index}` }))
    const { rows } = await sql<{ custom: number; generic: number }>`
      select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements
      where statement like '%ts_rank%' and custom_plans + generic_plans >= 12
    `.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ generic }) => generic > 0)).toEqual([])
  })
})

test('[A-47] the SQL of a search is committed', async () => {
  const filter = {
    type: 'plugin',
    tag: 'tag-7',
    owner: 'owner-7',
    platform: 'linux',
    tool_version: '9.0',
    status: 'stable',
  } as const
  const record = (query: SearchAsked) => recordSql(node.db, (db) => searchPackages(db, query))
  const ranked = { by: 'rank', rank: 9_000, identifier: 'a.b' } as const
  const words = asked({ q: 'thing w7', filter, after: ranked, fewAtMost: 0 })
  await expect(await record(words)).toMatchFileSnapshot('snapshots/search-words.sql')
  const few = asked({ q: 'thing 7', filter })
  await expect(await record(few)).toMatchFileSnapshot('snapshots/search-few.sql')
  const updated = { by: 'update', updatedAt: new Date(0), identifier: 'a.b' } as const
  await expect(await record(asked({ after: updated }))).toMatchFileSnapshot('snapshots/search-browse.sql')
})

test('[A-48] of more matches than are ranked, those that changed last are', async () => {
  const search = async (rankedAtMost: number) => {
    const { packages } = await searchPackages(node.db, asked({ q: 'w42', limit: 50, rankedAtMost }))
    return packages.map(({ identifier }) => identifier)
  }
  expect(await search(3)).toEqual(['com.example.p4442', 'com.example.p4642', 'com.example.p4842'])
  expect(await search(1_000)).toHaveLength(25)
})

test('[A-48] packages with words in their names are ranked, however many newer ones have them elsewhere', async () => {
  const search = async (q: string) => {
    const { packages } = await searchPackages(node.db, asked({ q, rankedAtMost: 2 }))
    return packages.map(({ name }) => name)
  }
  expect(await search('does 42')).toEqual(['Thing 4298', 'Thing 4299', 'Thing 4942', 'Thing 4992'])
  expect(await search('42 does')).toEqual(['Thing 42', 'Thing 4942', 'Thing 4992'])
})
