import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../src/index.ts'
import { holdCeremony, NOW } from '../repository/signing-keys.ts'
import { FAST, failureOf, sampleVersion, sha256 } from './sample.ts'
import { startSigned } from './signed-bench.ts'

test('[A-328] a signed repository is read, and follows its signatures from state to state', async () => {
  await using signed = await startSigned()
  await signed.publish()
  expect(await signed.open().refresh()).toMatchObject({ isSigned: true, fromCache: false, name: 'Workshop' })
  await signed.publish()
  const snapshot = await signed.open().refresh()
  expect(snapshot.packages).toHaveLength(2)
  expect(snapshot.pinnedRoot).toBeUndefined()
})

test('[A-325] in a signed repository an archive without a hash cannot be allowed', async () => {
  await using signed = await startSigned()
  const version = sampleVersion({ download_url: new URL('/a.zip', signed.url).href })
  const call = signed.open().openDownload(version, { allowUnhashed: true })
  expect(await failureOf(call)).toMatchObject({ code: 'no_hash' })
})

test('[A-328] a root that is pinned at first use is shown once, and stays', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const pin = { root: 'pin-on-first-use' } as const
  const first = await signed.open(pin).refresh()
  expect(first.pinnedRoot).toEqual({ sha256: sha256(signed.root.bytes) })
  expect((await signed.open(pin).refresh()).pinnedRoot).toBeUndefined()
  const other = holdCeremony()
  await rm(signed.shop.out, { recursive: true })
  await signed.shop.addFolder('com.example.evil')
  await signed.shop.build({
    trust: other.trust,
    now: () => NOW,
    baseUrl: new URL('.', signed.url).href,
    timestamp: 1_900_000_000,
  })
  const failure = await failureOf(signed.open(pin).refresh())
  expect(failure).toMatchObject({ code: 'untrusted', trustReason: 'bad_signature' })
  const cached = await signed.open(pin).readCached()
  expect(cached?.packages.map(({ identifier }) => identifier)).toEqual(['com.example.p1'])
})

test('[A-328] the path that the signatures know is found from the addresses, or given', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const metadataUrl = new URL('tuf', signed.url).href
  expect((await signed.open({ metadataUrl }).refresh()).isSigned).toBe(true)
  const wrong = await failureOf(signed.open({ targetPath: 'feeds/repository.json' }).refresh())
  expect(wrong).toMatchObject({ code: 'untrusted', trustReason: 'not_listed' })
  expect(() => signed.open({ metadataUrl: 'http://127.0.0.1:9/deep/tuf/' })).toThrow(/target path/)
})

test('[A-329] an index that is not the signed one is refused', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const path = join(signed.shop.out, 'repository.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace('Workshop', 'Workshow'))
  expect(await failureOf(signed.open().refresh())).toMatchObject({ code: 'hash_mismatch' })
})

test('[A-329] an older signed state is refused, and cannot be forced', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const old = join(signed.shop.root, 'old')
  await cp(signed.shop.out, old, { recursive: true })
  await signed.publish()
  await signed.open().refresh()
  await rm(signed.shop.out, { recursive: true })
  await cp(old, signed.shop.out, { recursive: true })
  for (const allowOlder of [false, true]) {
    expect(await failureOf(signed.open().refresh({ allowOlder }))).toMatchObject({
      code: 'untrusted',
      trustReason: 'rollback',
    })
  }
})

test('[A-329] signatures that have run out are refused', async () => {
  await using signed = await startSigned()
  await signed.publish()
  signed.wait(31)
  expect(await failureOf(signed.open().refresh())).toMatchObject({ code: 'untrusted', trustReason: 'freeze' })
})

test('[A-329] a root that is not the right one, or not there, trusts nothing', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const path = join(signed.shop.root, 'other.json')
  await writeFile(path, holdCeremony().root.bytes)
  const other = signed.open({ root: { path } })
  expect(await failureOf(other.refresh())).toMatchObject({ code: 'untrusted', trustReason: 'bad_signature' })
  const missing = signed.open({ root: { path: `${path}x` } })
  expect((await failureOf(missing.refresh())).message).toContain('check its path')
})

test('[A-329] a signed index whose list has no hash is refused: nothing would cover the list', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const { signStaticRepository } = await import('@patchbay/package-trust/signing')
  const { trust } = holdCeremony()
  const index = await signed.shop.readIndex()
  const bytes = Buffer.from(JSON.stringify({ ...index, packages: { ...index.packages, sha256: undefined } }))
  const [root] = trust.roots
  if (root === undefined) throw new Error('no root')
  const files = signStaticRepository({
    files: new Map([['repository.json', bytes]]),
    root: root.bytes,
    keys: trust.keys,
    now: new Date(NOW),
  })
  await writeFile(join(signed.shop.out, 'repository.json'), bytes)
  for (const file of [root, ...files]) await writeFile(join(signed.shop.out, 'tuf', file.name), file.bytes)
  const path = join(signed.shop.root, 'other.json')
  await writeFile(path, root.bytes)
  expect(await failureOf(signed.open({ root: { path } }).refresh())).toMatchObject({ code: 'untrusted' })
})

test('[A-329] while the server is away, the last signed state is there, and it is said that it is old', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  await signed.close()
  expect(await signed.open().refresh()).toMatchObject({ fromCache: true, failure: { code: 'unreachable' } })
})

test('[A-329] what was read without signatures does not stand in for what needs them', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const deps = { cacheFolder: join(signed.shop.root, 'cache'), limits: FAST }
  await openRepository({ url: signed.url }, deps).refresh()
  expect(await signed.open().readCached()).toBeUndefined()
})
