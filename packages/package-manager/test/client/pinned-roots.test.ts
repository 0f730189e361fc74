import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { failureOf, sha256 } from './sample.ts'
import { startSigned } from './signed-bench.ts'

const PIN = { root: 'pin-on-first-use' } as const

test('[A-328] what a login page answers in place of a root is not pinned', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const path = join(signed.shop.out, 'tuf/1.root.json')
  await writeFile(path, 'Please log in')
  const client = signed.open(PIN)
  expect(await failureOf(client.refresh())).toMatchObject({ code: 'untrusted', trustReason: 'bad_signature' })
  expect(await readdir(join(signed.shop.root, 'cache-pins')).catch(() => [])).toEqual([])
  await writeFile(path, signed.root.bytes)
  expect((await client.refresh()).pinnedRoot).toEqual({ sha256: sha256(signed.root.bytes) })
})

test('[A-328] a root is pinned, and its hash shown, by the first refresh that succeeds as a whole, and then no more', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const index = join(signed.shop.out, 'repository.json')
  await rename(index, `${index}.away`)
  expect(await failureOf(signed.open(PIN).refresh())).toMatchObject({ code: 'not_found' })
  await rename(`${index}.away`, index)
  const client = signed.open(PIN)
  expect((await client.refresh()).pinnedRoot).toEqual({ sha256: sha256(signed.root.bytes) })
  expect((await client.refresh()).pinnedRoot).toBeUndefined()
  expect((await signed.open(PIN).refresh()).pinnedRoot).toBeUndefined()
})

deepTest('[A-328] a pin is in the folder that was given for it, and outlives the cache', async () => {
  await using signed = await startSigned()
  await signed.publish()
  const trustFolder = join(signed.shop.root, 'settings')
  expect((await signed.open(PIN, 'cache', { trustFolder }).refresh()).pinnedRoot).toBeDefined()
  expect(await readdir(trustFolder)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.root\.json$/)])
  await rm(join(signed.shop.root, 'cache'), { recursive: true })
  expect((await signed.open(PIN, 'cache', { trustFolder }).refresh()).pinnedRoot).toBeUndefined()
  // Without the argument it is another place, and the cache may go there too.
  expect((await signed.open(PIN).refresh()).pinnedRoot).toBeDefined()
  await rm(join(signed.shop.root, 'cache'), { recursive: true })
  expect((await signed.open(PIN).refresh()).pinnedRoot).toBeUndefined()
})
