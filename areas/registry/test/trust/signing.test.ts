import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@patchbay/kernel/log'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { keepHouse } from '../../src/feeds/housekeeping.store.ts'
import { createIndexer } from '../../src/feeds/indexer.store.ts'
import { archiveOf } from '../archive.ts'
import { insertPackages, touch } from '../feeds/many-packages.ts'
import { readBytes, readJson, sha256Of } from '../feeds/reading.ts'
import { startRegistry } from '../start.ts'
import { putFiles } from './ceremony.ts'
import { startSigned } from './signed-node.ts'

const DAY_MS = 86_400_000
const ROUNDS = depth({ common: 2, deep: 6 })
const PATHS = [
  'feeds/kicad/repository.json',
  'feeds/tool/ada/repository.json',
  'sparse/kicad/com.example.blinky.json',
]

interface Signed {
  readonly signed: { readonly version: number; readonly expires: string }
}

test('[A-440] without the setting nothing is signed', async () => {
  await using node = await startRegistry()
  await node.as('ada').publish(archiveOf())
  const statuses = ['timestamp.json', '1.root.json'].map(
    async (file) => (await node.ask(`/registry/tuf/${file}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 404])
})

test('[A-441] a client that trusts the first root accepts exactly what is served', async () => {
  await using signed = await startSigned()
  const { node } = signed
  const client = await signed.openClient()
  for (const version of ['1.0', '1.1', '2.0']) {
    await node.as('ada').publish(archiveOf({ version }))
    expect(await node.registry.indexer.settle(30_000)).toBe(true)
    await client.refresh()
    for (const path of PATHS) {
      const bytes = await readBytes(node, `/registry/${path}`)
      expect(await client.find(path)).toEqual({ length: bytes.byteLength, sha256: sha256Of(bytes) })
    }
    const sparse = await readBytes(node, '/registry/sparse/kicad/com.example.blinky.json')
    expect(sparse.toString()).toContain(`"version":"${version}"`)
  }
  const listed = await client.find('feeds/kicad/repository.json')
  const byHash = await readBytes(node, `/registry/files/${listed?.sha256}/repository.json`)
  expect(sha256Of(byHash)).toBe(listed?.sha256)
  expect(await client.find('feeds/kicad/ada/private/repository.json')).toBeUndefined()
})

test('[A-442] concurrent publishes on two nodes give one history that a client can follow at any moment', async () => {
  await using signed = await startSigned()
  const nodes = [signed.node, await signed.anotherNode('test-2')]
  await insertPackages(signed.node.db, { owners: 2, perOwner: 8, prefix: 'o' })
  const ending = new AbortController()
  const follow = async () => {
    const client = await signed.openClient()
    let refreshed = 0
    while (!ending.signal.aborted || refreshed < 3) {
      await client.refresh()
      await client.find('sparse/tool/com.o1.p1.json')
      refreshed += 1
    }
    return refreshed
  }
  const followers = [follow(), follow()]
  for (let round = 1; round <= ROUNDS; round += 1) {
    const now = signed.clock.now()
    await Promise.all(
      nodes.map(async (node, index) => {
        await touch(node.db, `o${index + 1}`, `com.o${index + 1}.p${round}`, now)
        await node.registry.indexer.settle(30_000)
      }),
    )
  }
  ending.abort()
  expect(Math.min(...(await Promise.all(followers)))).toBeGreaterThan(2)
  const files = await signed.node.db.selectFrom('trust_metadata').select('file').execute()
  const snapshots = files.flatMap(({ file }) => /^(\d+)[.]snapshot/.exec(file)?.[1] ?? []).map(Number)
  expect(snapshots.toSorted((a, b) => a - b)).toEqual(snapshots.map((_, index) => index + 1))
  const client = await signed.openClient()
  for (const identifier of ['com.o1.p1', `com.o2.p${ROUNDS}`]) {
    const bytes = await readBytes(signed.node, `/registry/sparse/tool/${identifier}.json`)
    expect((await client.find(`sparse/tool/${identifier}.json`))?.sha256).toBe(sha256Of(bytes))
  }
}, 120_000)

test('[A-443] a publish signs the bins of what changed and nothing else', async () => {
  await using signed = await startSigned()
  const { node } = signed
  const versions = async () => {
    const rows = await node.db.selectFrom('trust_roles').select(['role', 'version']).execute()
    return new Map(rows.map(({ role, version }) => [role, version]))
  }
  await node.registry.indexer.stop()
  const indexer = createIndexer(node.deps)
  await insertPackages(node.db, { owners: 1, perOwner: 1, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', signed.clock.now())
  await indexer.settle(30_000)
  const before = await versions()
  await touch(node.db, 'o1', 'com.o1.p1', signed.clock.now())
  await indexer.settle(30_000)
  const after = await versions()
  const changed = [...after].filter(([role, version]) => before.get(role) !== version).map(([role]) => role)
  const bins = changed.filter((role) => role.startsWith('bin-'))
  // Two brands of the sparse file, of the owner's feed and of the installation's, among 16 bins.
  expect(bins.length).toBeGreaterThan(0)
  expect(bins.length).toBeLessThanOrEqual(6)
  expect(changed.filter((role) => !bins.includes(role)).toSorted()).toEqual(['snapshot', 'timestamp'])
  await indexer.stop()
})

test('[A-444] metadata is signed again at half of its life', async () => {
  await using signed = await startSigned()
  const { node, clock } = signed
  await node.registry.indexer.settle(30_000)
  const timestamp = async () => ((await readJson(node, '/registry/tuf/timestamp.json')) as Signed).signed
  const first = await timestamp()
  expect(Date.parse(first.expires) - clock.now().getTime()).toBe(DAY_MS)
  clock.advance(DAY_MS / 2 - 1_000)
  await node.registry.indexer.settle(5_000)
  expect((await timestamp()).version).toBe(first.version)
  clock.advance(1_000)
  await signed.sweepingNode('test-2')
  await expect
    .poll(async () => (await timestamp()).version, { timeout: 20_000 })
    .toBeGreaterThan(first.version)

  clock.advance(15 * DAY_MS)
  await signed.sweepingNode('test-3')
  const oldest = async () => {
    const row = await node.db
      .selectFrom('trust_roles')
      .select('renew_at')
      .where('renew_at', 'is not', null)
      .orderBy('renew_at')
      .limit(1)
      .executeTakeFirst()
    return (row?.renew_at?.getTime() ?? 0) > clock.now().getTime()
  }
  await expect.poll(oldest, { timeout: 20_000 }).toBe(true)
  await (await signed.openClient()).refresh()
})

test('[A-445] after a rotation everything is signed by the new key, and the old one refuses to go on', async () => {
  await using signed = await startSigned()
  const { node, ceremony } = signed
  await node.as('ada').publish(archiveOf())
  const client = await signed.openClient()
  await client.refresh()
  const { files, onlineKey } = ceremony.rotate()
  await putFiles(ceremony.folder, files)
  // The old node still has the old key, and finds out by a sweep of its own.
  await expect.poll(() => node.lines.join(), { timeout: 20_000 }).toContain('the online key may not sign')
  await client.refresh()
  const other = await signed.anotherNode('test-2', { ...ceremony.trust, onlineKey: new Secret(onlineKey) })
  await expect
    .poll(async () => (await other.ask('/registry/tuf/2.root.json')).status, { timeout: 20_000 })
    .toBe(200)
  await other.registry.indexer.settle(30_000)
  await client.refresh()
  const fresh = await signed.openClient(other)
  for (const path of PATHS) {
    const bytes = await readBytes(other, `/registry/${path}`)
    expect((await fresh.find(path))?.sha256).toBe(sha256Of(bytes))
  }
  // Published where the old key is: the node with the new one signs it.
  await node.as('ada').publish(archiveOf({ version: '2.0' }))
  expect(await other.registry.indexer.settle(30_000)).toBe(true)
  await client.refresh()
  const sparse = await readBytes(other, '/registry/sparse/tool/com.example.blinky.json')
  expect((await client.find('sparse/tool/com.example.blinky.json'))?.sha256).toBe(sha256Of(sparse))
  expect(sparse.toString()).toContain('"version":"2.0"')
}, 90_000)

deepTest(
  '[A-440] a root that does not follow, and targets that are not signed, are refused and change nothing',
  async () => {
    await using signed = await startSigned()
    const { node, ceremony } = signed
    const { files } = ceremony.rotate()
    const [root] = files
    await writeFile(join(ceremony.folder, '3.root.json'), root?.bytes ?? '')
    const second = await signed.sweepingNode('test-2')
    await expect.poll(() => second.lines.join(), { timeout: 20_000 }).toContain('3.root.json does not follow')
    await rename(join(ceremony.folder, '3.root.json'), join(ceremony.folder, 'aside'))
    const forged = Buffer.from(files[1]?.bytes ?? '')
      .toString()
      .replace('"bit_length":4', '"bit_length":5')
    await writeFile(join(ceremony.folder, '2.targets.json'), forged)
    const third = await signed.sweepingNode('test-3')
    await expect.poll(() => third.lines.join(), { timeout: 20_000 }).toContain('2.targets.json is not signed')
    const stored = await node.db
      .selectFrom('trust_metadata')
      .select('file')
      .where('file', 'in', ['3.root.json', '2.targets.json'])
      .execute()
    expect(stored).toEqual([])
    expect(await readdir(ceremony.folder)).toContain('1.root.json')
    await (await signed.openClient()).refresh()
  },
  60_000,
)

test('[A-446] what was replaced is kept for an hour, roots forever', async () => {
  await using signed = await startSigned()
  const { node, clock } = signed
  await node.as('ada').publish(archiveOf())
  await node.registry.indexer.settle(30_000)
  const status = async (file: string) => (await node.ask(`/registry/tuf/${file}`)).status
  clock.advance(3_599_000)
  await keepHouse(node.deps)
  const kept = async () =>
    (
      await node.db
        .selectFrom('trust_metadata')
        .select('file')
        .where('file', '=', '1.snapshot.json')
        .execute()
    ).length
  expect([await kept(), await status('1.snapshot.json')]).toEqual([1, 200])
  clock.advance(1_000)
  await keepHouse(node.deps)
  expect(await kept()).toBe(0)
  expect(await status('1.root.json')).toBe(200)
  await (await signed.openClient()).refresh()
})

test('[A-447] what was published before signing began is signed when it begins', async () => {
  await using signed = await startSigned()
  const { node } = signed
  await node.registry.indexer.stop()
  await insertPackages(node.db, { owners: 1, perOwner: 3, prefix: 'o' })
  await node.db.deleteFrom('trust_roles').execute()
  await node.db.deleteFrom('trust_metadata').execute()
  const other = await signed.anotherNode('test-2')
  const client = await signed.openClient(other)
  const find = () => client.refresh().then(() => client.find('sparse/tool/com.o1.p3.json'))
  await expect.poll(() => find().catch(() => undefined), { timeout: 20_000 }).toBeDefined()
  const bytes = await readBytes(other, '/registry/sparse/tool/com.o1.p3.json')
  expect((await find())?.sha256).toBe(sha256Of(bytes))
})

test('[A-448] a sparse file is what was signed, while a newer state waits', async () => {
  await using signed = await startSigned()
  const { node } = signed
  await insertPackages(node.db, { owners: 1, perOwner: 1, prefix: 'o' })
  await touch(node.db, 'o1', 'com.o1.p1', signed.clock.now())
  await node.registry.indexer.settle(30_000)
  await node.registry.indexer.stop()
  const path = '/registry/sparse/tool/com.o1.p1.json'
  const before = await readBytes(node, path)
  await touch(node.db, 'o1', 'com.o1.p1', signed.clock.now())
  expect(await readBytes(node, path)).toEqual(before)
  const client = await signed.openClient()
  expect((await client.find('sparse/tool/com.o1.p1.json'))?.sha256).toBe(sha256Of(before))
})
