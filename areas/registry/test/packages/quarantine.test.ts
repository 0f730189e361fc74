import type { PackagePage, Publication } from '@patchbay/contracts/registry'
import { createRedisBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { atLatest } from '@patchbay/testkit/depth'
import { startRedis } from '@patchbay/testkit/redis'
import { expect, test } from 'vitest'
import { quarantineOwner } from '../../src/packages/quarantine.store.ts'
import { archiveOf } from '../archive.ts'
import { pathOf, readFeed, readJson } from '../feeds/reading.ts'
import { codeOf } from '../looking.ts'
import {
  migratedDatabase,
  NO_INDEXER,
  type RegistryNode,
  startRegistry,
  startRegistryNode,
  temporaryFolder,
} from '../start.ts'

const ID = 'com.example.blinky'
const QUARANTINE = `/registry/packages/${ID}/quarantine`

const publish = async (node: RegistryNode, identifier = ID) =>
  (await (await node.as('ada').publish(archiveOf({ identifier }))).json()) as Publication
const statusOf = async (node: RegistryNode, path: string) => (await node.ask(path)).status
const findOn = async (node: RegistryNode) => ({
  listed: (await readFeed(node)).packages.packages.map(({ identifier }) => identifier),
  found: ((await readJson(node, '/registry/search')) as { items: unknown[] }).items.length,
  sparse: await statusOf(node, `/registry/sparse/tool/${ID}.json`),
})

test('[A-530] R7: within 5 s of its quarantine on one node a package is gone from another, and comes back when it is released', async () => {
  await using database = await migratedDatabase()
  await using folder = await temporaryFolder()
  await using redis = await startRedis()
  await using oneBus = await createRedisBus({ url: redis.url, node: 'one', clock: systemClock })
  await using twoBus = await createRedisBus({ url: redis.url, node: 'two', clock: systemClock })
  const shared = { databaseUrl: database.url, folder: folder.path, clock: systemClock, sweeps: true }
  await using one = await startRegistryNode({ ...shared, node: 'one', bus: oneBus })
  await using two = await startRegistryNode({ ...shared, node: 'two', bus: twoBus })
  const { download_url, download_sha256 } = await publish(one)
  const { icon_url } = (await readJson(one, `/registry/packages/${ID}`)) as PackagePage
  const files = [pathOf(download_url), `/registry/manifests/${download_sha256}.json`, pathOf(icon_url ?? '')]
  const state = async () => ({
    ...(await findOn(two)),
    files: await Promise.all(files.map((path) => statusOf(two, path))),
  })
  const there = { listed: [ID], found: 1, sparse: 200, files: [200, 200, 200] }
  await expect.poll(state, { timeout: 30_000 }).toEqual(there)

  const root = one.as('root')
  const begun = performance.now()
  expect((await root.change('PUT', QUARANTINE, { reason: 'Steals keys' })).status).toBe(204)
  const gone = { listed: [], found: 0, sparse: 451, files: [451, 451, 404] }
  await expect.poll(state, { timeout: 30_000, interval: 20 }).toEqual(gone)
  const tookMs = performance.now() - begun
  expect(tookMs).toBeLessThan(atLatest(5_000))
  const refused = await two.ask(pathOf(download_url), {
    headers: { 'if-none-match': `"${download_sha256}"` },
  })
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([451, 'no-store'])
  expect(await refused.json()).toMatchObject({ code: 'package_quarantined', reason: 'Steals keys' })

  expect((await root.change('DELETE', QUARANTINE)).status).toBe(204)
  await expect.poll(state, { timeout: 30_000 }).toEqual(there)
})

test('[A-531] R7: only an administrator quarantines and releases, the reason is shown, and both are noted', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await publish(node)
  const refused = await node.as('ada').change('PUT', QUARANTINE, { reason: 'x' })
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'not_permitted'])
  const root = node.as('root')
  expect((await root.change('PUT', QUARANTINE, { reason: '  ' })).status).toBe(400)
  expect((await root.change('PUT', QUARANTINE.replace('blinky', 'other'), { reason: 'x' })).status).toBe(404)
  await root.change('PUT', QUARANTINE, { reason: 'Steals keys' })

  const stranger = await node.ask(`/registry/packages/${ID}`)
  expect(stranger.status).toBe(451)
  expect(await stranger.json()).toMatchObject({ reason: 'Steals keys' })
  for (const who of ['ada', 'root']) {
    const page = (await (await node.as(who).ask(`/registry/packages/${ID}`)).json()) as PackagePage
    expect(page.quarantine).toMatchObject({ reason: 'Steals keys' })
  }
  for (let time = 0; time < 2; time += 1) await root.change('DELETE', QUARANTINE)
  expect(await statusOf(node, `/registry/packages/${ID}`)).toBe(200)
  const entries = await node.db
    .selectFrom('registry_audit')
    .select(['action', 'actor'])
    .orderBy('id')
    .execute()
  expect(entries.slice(1)).toEqual([
    { action: 'quarantined', actor: 'root' },
    { action: 'released', actor: 'root' },
  ])
})

test('[A-532] R7: its owner can neither list nor publish a quarantined package, and what they had chosen comes back', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  await publish(node)
  const owned = `/registry/owners/ada/packages/${ID}`
  await ada.change('PATCH', owned, { is_listed: false })
  await node.as('root').change('PUT', QUARANTINE, { reason: 'Steals keys' })
  for (const isListed of [true, false]) {
    const refused = await ada.change('PATCH', owned, { is_listed: isListed })
    expect([refused.status, await codeOf(refused)]).toEqual([451, 'package_quarantined'])
  }
  const refused = await ada.publish(archiveOf({ version: '2.0.0' }))
  expect([refused.status, await codeOf(refused)]).toEqual([451, 'package_quarantined'])
  await node.as('root').change('DELETE', QUARANTINE)
  const page = (await readJson(node, `/registry/packages/${ID}`)) as PackagePage
  expect([page.is_listed, page.quarantine]).toEqual([false, null])
})

test('[A-533] R7: all packages of an owner are quarantined, and those of others are not', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  for (const identifier of ['com.example.one', 'com.example.two']) await publish(node, identifier)
  await node.as('bob').publish(archiveOf({ identifier: 'com.example.three' }))
  const who = { personId: crypto.randomUUID(), handle: 'root', credential: { kind: 'browser', id: '' } }
  expect(await quarantineOwner(node.db, who, 'ada', 'The account is disabled.', new Date())).toBe(2)
  expect(await quarantineOwner(node.db, who, 'ada', 'The account is disabled.', new Date())).toBe(0)
  const left = ((await readJson(node, '/registry/search')) as { items: { identifier: string }[] }).items
  expect(left.map(({ identifier }) => identifier)).toEqual(['com.example.three'])
})
