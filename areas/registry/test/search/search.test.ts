import type { PackageSummary } from '@patchbay/contracts/registry'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { assert, asyncProperty, string } from 'fast-check'
import { expect, test } from 'vitest'
import { refreshPackage } from '../../src/packages/latest.store.ts'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { type Seed, seedPackages } from '../seed.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

interface Page {
  readonly items: readonly PackageSummary[]
  readonly next_cursor: string | null
}

async function startSearch(seeds: readonly Seed[]) {
  const node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(node.db, seeds)
  const search = async (query: Record<string, string>): Promise<Page> => {
    const response = await node.ask(`/registry/search?${new URLSearchParams(query).toString()}`)
    expect(response.status).toBe(200)
    return (await response.json()) as Page
  }
  const found = async (query: Record<string, string>) =>
    (await search(query)).items.map(({ identifier }) => identifier)
  return { node, search, found, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}

/** A package in which the only words are those that a test gives. */
const plain = (
  identifier: string,
  fields: Readonly<Record<string, unknown>> = {},
  rest: Seed = {},
): Seed => ({
  identifier,
  package: {
    name: 'n',
    description: 'd',
    description_full: 'f',
    tags: ['t0'],
    author: { name: 'a', contact: {} },
    ...fields,
  },
  ...rest,
})

deepTest(
  '[A-40] every word must occur, the last may be unfinished, and case and punctuation do not matter',
  async () => {
    await using started = await startSearch([
      plain('org.a.one', { name: 'InteractiveHtmlBom', description: 'Makes a bill of materials' }),
      plain('org.a.two', { name: 'Html export', author: { name: 'Ada Lovelace', contact: {} } }),
      plain('org.a.three', { name: 'Fabrication', description_full: 'Writes Gerber/drill files.' }),
    ])
    const { found } = started
    expect(await found({ q: 'html' })).toEqual(['org.a.one', 'org.a.two'])
    expect(await found({ q: 'HTML mater' })).toEqual(['org.a.one'])
    expect(await found({ q: 'mater html' })).toEqual([])
    expect(await found({ q: 'love' })).toEqual(['org.a.two'])
    expect(await found({ q: 'gerber-DRILL' })).toEqual(['org.a.three'])
    expect(await found({ q: 'org.a.three' })).toEqual(['org.a.three'])
    expect(await found({ q: 'nothing' })).toEqual([])
  },
)

test('[A-41] name before identifier and tags before description before author and full text', async () => {
  const many = 'led '.repeat(100)
  await using started = await startSearch([
    plain('z.name', { name: 'Led' }),
    plain('y.led', { description: 'd' }),
    plain('x.tag', { tags: ['led'] }),
    plain('w.description', { description: 'A led' }),
    plain('v.description', { description: many, description_full: many }),
    plain('u.full', { description_full: many }),
    plain('t.author', { author: { name: 'Led Zeppelin', contact: {} } }),
  ])
  const order = await started.found({ q: 'led' })
  expect(order[0]).toBe('z.name')
  expect(new Set(order.slice(1, 3))).toEqual(new Set(['y.led', 'x.tag']))
  expect(new Set(order.slice(3, 5))).toEqual(new Set(['w.description', 'v.description']))
  expect(new Set(order.slice(5))).toEqual(new Set(['u.full', 't.author']))
})

test('[A-41] of several words, more of them in a higher field come first, however often others have them', async () => {
  const pair = 'gerber export '
  await using started = await startSearch([
    plain('z.name', { name: 'Gerber export' }),
    plain('y.split', { name: 'Gerber', description: 'export' }),
    plain('x.often', { name: 'gerber '.repeat(20), description: 'export '.repeat(60) }),
    plain('w.tags', { tags: ['gerber', 'export'] }),
    plain('v.description', { description: pair.repeat(30) }),
    plain('u.full', { description_full: pair.repeat(200) }),
    plain('t.endings', {
      description_full: Array.from({ length: 400 }, (_, i) => `export${i}`).join(' ') + ' gerber',
    }),
  ])
  const order = await started.found({ q: 'gerber export' })
  expect(order[0]).toBe('z.name')
  expect(new Set(order.slice(1, 3))).toEqual(new Set(['y.split', 'x.often']))
  expect(order.slice(3, 5)).toEqual(['w.tags', 'v.description'])
  expect(new Set(order.slice(5))).toEqual(new Set(['u.full', 't.endings']))
  expect((await started.found({ q: 'export gerber' })).slice(0, 1)).toEqual(['z.name'])
})

test('[A-41] three words in the name come before two in the name and any number elsewhere', async () => {
  await using started = await startSearch([
    plain('c.all', { name: 'Gerber drill export' }),
    plain('b.two', { name: 'gerber drill '.repeat(9), tags: ['export'], description: 'export '.repeat(60) }),
    plain('a.one', { name: 'Drill', tags: ['gerber', 'export'], description: 'gerber export '.repeat(30) }),
    plain('a.none', { description: 'gerber drill export '.repeat(20) }),
  ])
  const expected = ['c.all', 'b.two', 'a.one', 'a.none']
  expect(await started.found({ q: 'gerber drill export' })).toEqual(expected)
  const pages = await readPages(started.search, { q: 'gerber drill export', limit: '1' })
  expect(pages.flat()).toEqual(expected)
})

test('[A-38] searching is limited per client address', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER, settings: { searchesPerMinute: 2 } })
  const statuses = []
  for (let index = 0; index < 3; index += 1) statuses.push((await node.ask('/registry/search?q=a')).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('[A-42] type, owner and tag filter packages', async () => {
  await using started = await startSearch([
    plain('a.plugin', { tags: ['led', 'pcb'] }),
    plain('b.library', { type: 'library', tags: ['led'] }, { owner: 'bob' }),
    plain('c.theme', { type: 'colortheme' }),
  ])
  const { found } = started
  expect(await found({ type: 'library' })).toEqual(['b.library'])
  expect(await found({ owner: 'bob' })).toEqual(['b.library'])
  expect(await found({ tag: 'led' })).toEqual(['a.plugin', 'b.library'])
  expect(await found({ tag: 'led', type: 'plugin', q: 'n' })).toEqual(['a.plugin'])
})

test('[A-42] platform, tool version and status must fit one version', async () => {
  await using started = await startSearch([
    plain('a.any', {}, { versions: [{ tool_version: '7.0' }] }),
    plain(
      'b.old',
      {},
      { versions: [{ tool_version: '6.0', tool_version_max: '8.0', platforms: ['linux'] }] },
    ),
    plain(
      'c.mixed',
      {},
      {
        versions: [
          { tool_version: '8.0', platforms: ['windows'], status: 'stable' },
          { tool_version: '9.0', platforms: ['linux'], status: 'testing' },
        ],
      },
    ),
  ])
  const { found } = started
  expect(await found({ tool_version: '8.0.7' })).toEqual(['a.any', 'b.old', 'c.mixed'])
  expect(await found({ tool_version: '8.99' })).toEqual(['a.any', 'c.mixed'])
  expect(await found({ tool_version: '6.5' })).toEqual(['b.old'])
  expect(await found({ platform: 'macos' })).toEqual(['a.any'])
  expect(await found({ platform: 'linux', status: 'stable' })).toEqual(['a.any', 'b.old'])
  expect(await found({ platform: 'linux', tool_version: '8.0', q: 'n' })).toEqual(['a.any', 'b.old'])
  expect(await found({ platform: 'linux', tool_version: '9', status: 'testing' })).toEqual(['c.mixed'])
})

test('[A-505] R3: a filtered search shows the version that would be installed', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const versions = {
    '1.0.0': { tool_version: '6.0', tool_version_max: '7.0' },
    '2.0.0': { tool_version: '8.0', platforms: ['linux'] },
    '2.1.0': { tool_version: '8.0', platforms: ['windows'] },
    '2.2.0': { tool_version: '8.0', status: 'testing' },
    '3.0.0': { tool_version: '8.0', runtime: 'ipc' },
    '4.0.0': { tool_version: '8.0', platforms: ['macos'], status: 'deprecated' },
  }
  for (const [version, versionFields] of Object.entries(versions))
    await node.as('ada').publish(archiveOf({ version, versionFields }))
  const shown = async (query: string) => {
    const { items } = (await (await node.ask(`/registry/search?${query}`)).json()) as Page
    return items[0]?.latest
  }
  const expected = {
    '': '3.0.0',
    'tool_version=7.0.3': '1.0.0',
    'tool_version=8.0&platform=linux': '2.0.0',
    'tool_version=8.0&platform=windows': '2.1.0',
    'tool_version=8.0&platform=macos': '2.2.0',
    'tool_version=9.0&platform=linux': '3.0.0',
    'tool_version=9.0&runtime=swig': '2.1.0',
    'status=testing': '2.2.0',
  }
  for (const [query, version] of Object.entries(expected))
    for (const words of ['', 'q=blinky&'])
      expect([query, (await shown(`${words}${query}`))?.version]).toEqual([query, version])
  expect(await shown('tool_version=8.0&platform=linux')).toMatchObject({
    status: 'stable',
    platforms: ['linux'],
  })
})

test('[A-43] private and delisted packages are found by nobody', async () => {
  await using started = await startSearch([
    plain('a.public'),
    plain('b.private', {}, { visibility: 'private' }),
    plain('c.delisted', {}, { isListed: false }),
  ])
  const { node } = started
  for (const query of ['', '?q=n', '?owner=ada', '?tag=t0']) {
    for (const ask of [node.ask, node.as('ada').ask]) {
      const { items } = (await (await ask(`/registry/search${query}`)).json()) as Page
      expect([query, items.map(({ identifier }) => identifier)]).toEqual([query, ['a.public']])
    }
  }
})

async function readPages(
  search: (query: Record<string, string>) => Promise<Page>,
  query: Record<string, string>,
): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await search({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    pages.push(page.items.map(({ identifier }) => identifier))
    cursor = page.next_cursor
  }
  return pages
}

test('[A-44] every package is on one page once, among equal ranks and equal times', async () => {
  const times = [new Date('2026-01-02T00:00:00Z'), new Date('2026-01-03T00:00:00Z')]
  await using started = await startSearch(
    Array.from({ length: 23 }, (_, index) =>
      plain(`a.p${index}`, index % 3 === 0 ? { name: 'n n' } : {}, {
        updatedAt: times[index % 2] ?? new Date(0),
      }),
    ),
  )
  for (const query of [{}, { q: 'n' }, { q: 'n', type: 'plugin' }]) {
    const pages = await readPages(started.search, { ...query, limit: '5' })
    expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5, 3])
    expect(new Set(pages.flat()).size).toBe(23)
    expect(pages.flat()).toEqual(await started.found(query))
  }
})

test('[A-613] packages of which nothing is offered take no place on a page', async () => {
  await using started = await startSearch(
    Array.from({ length: 12 }, (_, index) =>
      plain(`a.p${index}`, {}, { updatedAt: new Date(Date.UTC(2026, 0, 1 + index)) }),
    ),
  )
  const { db } = started.node
  const yanked = ['a.p11', 'a.p10', 'a.p9', 'a.p8', 'a.p3']
  await db
    .updateTable('package_versions')
    .set({ yanked_at: new Date(), yank_reason: '' })
    .where('identifier', 'in', yanked)
    .execute()
  for (const identifier of yanked) await refreshPackage(db, identifier, new Date(Date.UTC(2027, 0, 1)))
  for (const query of [{}, { q: 'n' }]) {
    const pages = await readPages(started.search, { ...query, limit: '3' })
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
  }
})

test('[A-44] a cursor that no page of such a search gave is refused', async () => {
  await using started = await startSearch([plain('a.one'), plain('a.two')])
  const { node, search } = started
  const { next_cursor: browsing } = await search({ limit: '1' })
  const { next_cursor: ranked } = await search({ limit: '1', q: 'n' })
  const texts = ['r a.b', 'r1e999 a.b', 'rNaN a.b', 'u99999999999999999 a.b', 'x1 a.b', "u1 a'b", '']
  const cursors = [
    ...texts.map((text) => `cursor=${Buffer.from(text).toString('base64url')}&q=n`),
    ...texts.map((text) => `cursor=${Buffer.from(text).toString('base64url')}`),
    `cursor=${browsing}&q=n`,
    `cursor=${ranked}`,
  ]
  for (const query of cursors) {
    const response = await node.ask(`/registry/search?${query}`)
    expect([query, response.status, await codeOf(response)]).toEqual([query, 400, 'invalid_request'])
  }
})

test('[A-45] without words the last change comes first', async () => {
  const day = (number: number) => ({ updatedAt: new Date(`2026-01-0${number}T00:00:00Z`) })
  await using started = await startSearch([
    plain('a.old', {}, day(1)),
    plain('b.new', {}, day(3)),
    plain('c.middle', {}, day(2)),
  ])
  expect(await started.found({})).toEqual(['b.new', 'c.middle', 'a.old'])
  expect(await started.found({ q: '…' })).toEqual(['b.new', 'c.middle', 'a.old'])
})

deepTest('[A-46] whatever is searched for is text, and no search fails', { timeout: 120_000 }, async () => {
  await using started = await startSearch([plain('a.one', { name: "it's 'quoted' \\ & | ! <-> :*" })])
  const { node, found } = started
  expect(await found({ q: "it's quoted" })).toEqual(['a.one'])
  for (const q of ["'", '\\', 'a & | b', '!x', 'a <-> b', 'a:*', '(', "x':*", '%', '\u0000', '\ud800'])
    expect([q, await statusOf(node, q)]).toEqual([q, 200])
  await assert(
    asyncProperty(string({ unit: 'binary', maxLength: 60 }), async (q) => (await statusOf(node, q)) === 200),
    { numRuns: depth({ common: 60, deep: 1_000 }) },
  )
})

async function statusOf(node: RegistryNode, q: string): Promise<number> {
  const response = await node.ask(`/registry/search?${new URLSearchParams({ q }).toString()}`)
  await response.arrayBuffer()
  return response.status
}

test('[A-486] R5: a parameter that search does not know is refused', async () => {
  await using bench = await startSearch([plain('com.a.one')])
  for (const query of ['platfrom=linux', 'q=one&toolVersion=8.0'])
    expect(await codeOf(await bench.node.ask(`/registry/search?${query}`))).toBe('invalid_request')
})
