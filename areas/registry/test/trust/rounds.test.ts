import { join } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockIndex } from '../../src/feeds/index-lock.store.ts'
import { createIndexer } from '../../src/feeds/indexer.store.ts'
import { signedSparse } from '../../src/feeds/signed-sparse.store.ts'
import { createSigner } from '../../src/feeds/signer.store.ts'
import { refreshTrust, signRest } from '../../src/feeds/signing-round.store.ts'
import { fingerprintOf, servedBrands } from '../../src/index-settings.ts'
import { selectDueRoles } from '../../src/trust/trust.store.ts'
import { openTrustFolder } from '../../src/trust/trust-folder-read.io.ts'
import { archiveOf } from '../archive.ts'
import { insertPackages, touch } from '../feeds/many-packages.ts'
import { readBytes, sha256Of } from '../feeds/reading.ts'
import { seedPackages } from '../seed.ts'
import { migratedDatabase, NO_INDEXER, startRegistry, startRegistryNode, temporaryFolder } from '../start.ts'
import { holdCeremony } from './ceremony.ts'
import { startSigned } from './signed-node.ts'

test('[A-449] the newest change is signed first, and whoever signs knows that more waits', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await insertPackages(node.db, { owners: 1, perOwner: 5, prefix: 'o' })
  for (const index of [2, 1, 3, 5, 4]) await touch(node.db, 'o1', `com.o1.p${index}`, new Date(index * 1_000))
  const { settings } = node.deps
  const shape = { ...settings, brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
  const rounds: unknown[] = []
  for (let round = 0; round < 4; round += 1) {
    const { files, isMoreWaiting } = await signedSparse(node.db, { ...shape, most: 2 })
    rounds.push([
      [...new Set(files.map(({ identifier }) => identifier.slice(-1)))].toSorted().join(''),
      isMoreWaiting,
    ])
  }
  expect(rounds).toEqual([
    ['45', true],
    ['23', true],
    ['1', false],
    ['', false],
  ])
})

deepTest('[A-418] a round of signatures reads a bounded number of bytes', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const junk = 'x'.repeat(3 * 1024 * 1024)
  await seedPackages(
    node.db,
    ['com.big.a', 'com.big.b'].map((identifier) => ({ identifier, package: { junk } })),
  )
  await sql`insert into sparse_marks select identifier, now() from packages`.execute(node.db)
  const { settings } = node.deps
  const shape = { ...settings, brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
  const counts: number[] = []
  for (let round = 0; round < 3; round += 1)
    counts.push((await signedSparse(node.db, { ...shape, most: 100 })).files.length)
  expect(counts).toEqual([2, 2, 0])
})

deepTest(
  '[A-449] many files of a first signing are signed round after round, without a sweep in between',
  async () => {
    await using signed = await startSigned()
    const { node } = signed
    await node.registry.indexer.stop()
    const identifiers = ['com.big.a', 'com.big.b', 'com.big.c']
    // Two of them are more than a round reads.
    const junk = 'x'.repeat(2_500_000)
    await seedPackages(
      node.db,
      identifiers.map((identifier) => ({ identifier, package: { junk } })),
    )
    await sql`insert into sparse_marks select identifier, to_timestamp(0) from packages`.execute(node.db)
    const indexer = createIndexer(node.deps)
    expect(await indexer.settle(0)).toBe(false)
    const count = async () =>
      (await node.db.selectFrom('sparse_files').select('identifier').where('brand', '=', 'tool').execute())
        .length
    await expect.poll(count, { timeout: 30_000 }).toBe(3)
    await indexer.stop()
  },
  60_000,
)

test.each([
  ['has the time for all of them', 60_000, 3],
  ['has no time', 0, 1],
])(
  '[A-492] a round that %s signs its bins once',
  async (_, longestMs, signedPackages) => {
    await using signed = await startSigned()
    const { node } = signed
    await node.registry.indexer.stop()
    const versions = async () => {
      const rows = await node.db.selectFrom('trust_roles').select(['role', 'version']).execute()
      return new Map(rows.map(({ role, version }) => [role, version]))
    }
    // Two of them are more than a batch.
    const junk = 'x'.repeat(2_500_000)
    await seedPackages(
      node.db,
      ['com.big.a', 'com.big.b', 'com.big.c'].map((identifier) => ({ identifier, package: { junk } })),
    )
    await sql`insert into sparse_marks select identifier, to_timestamp(0) from packages`.execute(node.db)
    const { settings } = node.deps
    const shape = { brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
    const { onlineKey } = signed.ceremony.trust
    const signer = createSigner({ onlineKey, publicUrl: settings.publicUrl, ...shape })
    const before = await versions()
    const round = { changes: new Map(), marks: 2_000, longestMs, now: signed.clock.now() }
    const { isMoreWaiting } = await node.db.transaction().execute((tx) => signer.sign(tx, round))
    const isAll = signedPackages === 3
    expect(isMoreWaiting).toBe(!isAll)
    const files = await node.db.selectFrom('sparse_files').select('identifier').distinct().execute()
    expect(files).toHaveLength(signedPackages)
    const steps = [...(await versions())].map(([role, version]) => version - (before.get(role) ?? 0))
    expect(Math.max(...steps)).toBe(1)
  },
  60_000,
)

test('[A-494] a change of a private package leaves the signed index as it was', async () => {
  await using signed = await startSigned()
  const { node } = signed
  const bodies = () => node.db.selectFrom('trust_metadata').select(['file', 'body']).orderBy('file').execute()
  await node.registry.indexer.settle(20_000)
  const before = await bodies()
  const answer = await node.as('ada').publish(archiveOf(), { visibility: 'private' })
  expect(answer.status).toBe(201)
  await node.registry.indexer.settle(20_000)
  const feed = { owner: 'ada', visibility: 'private' } as const
  const built = await node.db
    .selectFrom('feeds')
    .select('built_revision')
    .where((row) => row.and(feed))
    .execute()
  expect(built).toEqual([{ built_revision: 1 }])
  expect(await bodies()).toEqual(before)
}, 60_000)

test('[A-450] a folder that hangs fails in time and is not read twice', async () => {
  let looks = 0
  const folder = openTrustFolder('/nowhere', 50, () => {
    looks += 1
    return new Promise<never>(() => undefined)
  })
  const known = { root: 1, targets: 1 }
  await expect(folder.readNew(known)).rejects.toThrow('did not answer')
  await expect(folder.readNew(known)).rejects.toThrow('did not answer')
  expect(looks).toBe(1)
})

deepTest(
  '[A-450] the folder is read without the lock of the index',
  async () => {
    await using signed = await startSigned()
    const { node } = signed
    await node.as('ada').publish(archiveOf())
    await node.registry.indexer.settle(20_000)
    await node.registry.indexer.stop()
    const { settings } = node.deps
    const { onlineKey, folder } = signed.ceremony.trust
    const shape = { brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
    const signer = createSigner({ onlineKey, publicUrl: settings.publicUrl, ...shape })
    const deps = {
      ...node.deps,
      ...shape,
      signer,
      folder: openTrustFolder(folder),
      tell: async () => undefined,
    }
    await node.db.transaction().execute(async (tx) => {
      await lockIndex(tx)
      await refreshTrust(deps)
      expect(await signRest(deps)).toBe(false)
    })
  },
  60_000,
)

test('[A-451] what has to be signed again is found by an index', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await sql`
    insert into trust_roles (role, version, file, key_id, renew_at)
    select 'bin-' || n, 1, n || '.json', 'key', now() + n * interval '1 s' from generate_series(1, 5000) n`.execute(
    node.db,
  )
  await sql`analyze trust_roles`.execute(node.db)
  const plans = selectDueRoles(node.db, 'key', new Date(), 10).map((query) => query.explain())
  for (const plan of await Promise.all(plans)) expect(JSON.stringify(plan)).not.toContain('Seq Scan')
})

test('[A-415] signed files follow the brands', async () => {
  await using folder = await temporaryFolder()
  await using database = await migratedDatabase()
  const clock = new SettableClock()
  const { trust } = await holdCeremony(folder.path, clock.now())
  const start = (brands: readonly string[]) =>
    startRegistryNode({
      databaseUrl: database.url,
      folder: folder.path,
      clock,
      sweeps: true,
      settings: { trust, brands },
    })
  const paths = async ({ db }: Awaited<ReturnType<typeof start>>) => {
    const rows = await db
      .selectFrom('trust_roles as r')
      .innerJoin('trust_metadata as m', 'm.file', 'r.file')
      .select('m.body')
      .where('r.role', 'like', 'bin-%')
      .execute()
    return rows
      .flatMap(({ body }) => {
        const { signed } = JSON.parse(body.toString('utf8')) as { signed: { targets: object } }
        return Object.keys(signed.targets)
      })
      .toSorted()
  }
  const expected = (...brands: string[]) =>
    [
      ...brands.flatMap((brand) => [`feeds/${brand}/ada/repository.json`, `feeds/${brand}/repository.json`]),
      ...brands.map((brand) => `sparse/${brand}/com.example.blinky.json`),
    ].toSorted()
  {
    await using node = await start(['kicad'])
    await node.as('ada').publish(archiveOf())
    await expect.poll(() => paths(node), { timeout: 20_000 }).toEqual(expected('kicad', 'tool'))
  }
  await using node = await start(['other'])
  await expect.poll(() => paths(node), { timeout: 20_000 }).toEqual(expected('other', 'tool'))
  const sparse = await readBytes(node, '/registry/sparse/other/com.example.blinky.json')
  expect(sparse.toString()).toContain('other_version')
  const row = await node.db.selectFrom('sparse_files').select('sha256').where('brand', '=', 'other').execute()
  expect(row).toEqual([{ sha256: sha256Of(sparse) }])
}, 90_000)

test('[A-611] the root is taken over also while the object store does not answer', async () => {
  await using folder = await temporaryFolder()
  await using database = await migratedDatabase()
  const clock = new SettableClock()
  const { trust } = await holdCeremony(folder.path, clock.now())
  await using files = await createFileObjects({ root: join(folder.path, 'objects') })
  const objects: ObjectStore = {
    ...files,
    put: (source, options) => files.put(source, options),
    get: () => Promise.reject(new Problem('objects_unavailable')),
  }
  await using node = await startRegistryNode({
    databaseUrl: database.url,
    folder: folder.path,
    clock,
    objects,
    settings: { trust },
  })
  await seedPackages(node.db, [{}])
  await node.db.updateTable('package_versions').set({ package_metadata: null }).execute()
  node.registry.start()
  const roots = node.db.selectFrom('trust_roles').select('role').where('role', '=', 'root')
  await expect.poll(() => roots.execute(), { timeout: 20_000 }).toHaveLength(1)
})
