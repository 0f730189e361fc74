import type { PackageSummary } from '@patchbay/contracts/registry'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { ROUGH } from '../../src/packages/fits.ts'
import { archiveOf } from '../archive.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

async function isFound(node: RegistryNode, query: string): Promise<boolean> {
  const { items } = (await (await node.ask(`/registry/search?${query}`)).json()) as { items: unknown[] }
  return items.length > 0
}

test('[A-480] filters follow publications and changes of status at once', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const publish = (version: string, versionFields: object) =>
    ada.publish(archiveOf({ version, versionFields: { ...versionFields } }))
  const expectFound = async (queries: Readonly<Record<string, boolean>>) => {
    for (const [query, expected] of Object.entries(queries)) {
      expect([query, await isFound(node, query)]).toEqual([query, expected])
      expect([query, await isFound(node, `q=blinky&${query}`)]).toEqual([query, expected])
    }
  }
  await publish('1.0.0', { tool_version: '8.0', platforms: ['linux'] })
  await expectFound({
    'status=stable': true,
    'status=deprecated': false,
    'platform=linux&tool_version=8.0': true,
    'platform=macos': false,
    'tool_version=7.99.99': false,
    'tool_version=99.99.99': true,
  })
  await publish('2.0.0', { tool_version: '9.0', tool_version_max: '9.0', platforms: ['windows'] })
  await expectFound({
    'platform=windows&tool_version=9.0.99': true,
    'platform=windows&tool_version=9.1': false,
    'platform=linux&tool_version=9.1': true,
  })
  const path = '/registry/owners/ada/packages/com.example.blinky/versions/2.0.0'
  expect((await ada.change('PATCH', path, { status: 'deprecated' })).status).toBe(204)
  await expectFound({
    'status=deprecated': true,
    'status=stable&platform=windows': false,
    'status=stable&platform=linux': true,
    'status=deprecated&platform=linux': false,
  })
})

deepTest(
  '[A-480] C8: a plugin is found for the tools that have its runtime, or for that runtime',
  async () => {
    await using node = await startRegistry({ indexer: NO_INDEXER })
    const ada = node.as('ada')
    await ada.publish(
      archiveOf({ versionFields: { tool_version: '7.0', runtime: 'ipc', platforms: ['linux'] } }),
    )
    const expectFound = async (queries: Readonly<Record<string, boolean>>) => {
      for (const [query, expected] of Object.entries(queries))
        expect([query, await isFound(node, query)]).toEqual([query, expected])
    }
    await expectFound({
      'tool_version=8.0': false,
      'tool_version=8.99': true,
      'tool_version=8.0&runtime=ipc': true,
      'tool_version=6.0&runtime=ipc': false,
      'runtime=ipc&platform=linux&status=stable': true,
      'runtime=ipc&platform=macos': false,
      'runtime=swig': false,
    })
    await ada.publish(archiveOf({ version: '2.0.0', versionFields: { tool_version: '7.0' } }))
    await expectFound({ 'tool_version=8.0': true, 'runtime=swig': true, 'runtime=swig&platform=macos': true })
  },
)

test('[A-480] C8: a runtime is nothing that a library needs', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node
    .as('ada')
    .publish(
      archiveOf({ package: { type: 'library' }, versionFields: { tool_version: '7.0', runtime: 'ipc' } }),
    )
  for (const query of ['tool_version=8.0', 'runtime=swig', 'runtime=ipc'])
    expect([query, await isFound(node, query)]).toEqual([query, true])
})

test('[A-503] C8: what a search shows has platforms, and for a plugin the runtime', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(node.db, [
    { identifier: 'a.swig' },
    { identifier: 'b.ipc', versions: [{ runtime: 'ipc', platforms: ['macos'] }] },
    { identifier: 'c.library', package: { type: 'library' } },
  ])
  const { items } = (await (await node.ask('/registry/search')).json()) as { items: PackageSummary[] }
  expect(items.map(({ latest }) => [latest?.platforms, latest?.runtime])).toEqual([
    [[], 'swig'],
    [['macos'], 'ipc'],
    [[], null],
  ])
})

test('[A-481] versions for hundreds of single tool versions can be published, and are found by these alone', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const only = (tool: string) => ({ tool_version: tool, tool_version_max: tool })
  const versions = Array.from({ length: 300 }, (_, index) =>
    only(`${10 + (index % 30)}.${(index * 2) % 100}`),
  )
  await seedPackages(node.db, [{ versions }])
  const archive = archiveOf({ version: '2.0.0', versionFields: { ...only('9.0'), status: 'testing' } })
  expect((await node.as('ada').publish(archive)).status).toBe(201)
  const { rows } = await sql`select fits @> ${sql.lit(ROUGH)} as rough from packages`.execute(node.db)
  expect(rows).toEqual([{ rough: true }])
  const found = {
    'tool_version=9.0.4': true,
    'tool_version=9.1': false,
    'tool_version=9.0&status=stable': false,
    'tool_version=10.0&status=stable': true,
    'tool_version=10.1': false,
    'tool_version=10.0&status=testing': false,
    'status=testing&platform=linux': true,
    'status=deprecated': false,
    'runtime=swig&tool_version=9.0.4': true,
    'runtime=ipc&tool_version=9.0.4': false,
  }
  for (const [query, expected] of Object.entries(found)) {
    expect([query, await isFound(node, query)]).toEqual([query, expected])
    expect([query, await isFound(node, `q=bl&${query}`)]).toEqual([query, expected])
  }
})
