import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createRoot, createSigningKey, publicKeyOf, signStaticRepository } from '../../src/signing/index.ts'
import { openTrustedIndex } from '../../src/verifying/index.ts'
import { measure } from '../signed-registry.ts'
import { createTrial, reasonOf } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'

test('[A-263] from a pinned root a listed file is found in its bin, and one that is not listed is not', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const client = trial.client()
  await client.refresh()
  expect(await client.find(PATH)).toEqual(measure('one'))
  expect(await client.find('sparse/tool/com.example.other.json')).toBeUndefined()
})

test('[A-263] a refresh tells which state it led to, and until when that holds', async () => {
  const expires = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000)
  await using trial = await createTrial({ expires })
  const client = trial.client()
  const first = await client.refresh()
  expect(first).toEqual({ rootVersion: 1, timestampVersion: 1, expires })
  trial.registry.expires = new Date(expires.getTime() + 86_400_000)
  await trial.registry.publish(PATH, 'one')
  // The root and the list of bins are as old as before, and run out first.
  expect(await client.refresh()).toEqual({ rootVersion: 1, timestampVersion: 2, expires })
})

test('[A-263] without a refresh before it, find refreshes', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  expect(await trial.client().find(PATH)).toEqual(measure('one'))
})

test('[A-263] what changed and what was removed is seen after the next refresh', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const client = trial.client()
  await client.refresh()
  await trial.registry.publish(PATH, 'two')
  expect(await client.find(PATH)).toEqual(measure('one'))
  await client.refresh()
  expect(await client.find(PATH)).toEqual(measure('two'))
  await trial.registry.change(PATH, null)
  await client.refresh()
  expect(await client.find(PATH)).toBeUndefined()
})

test('[A-263] calls at the same time answer each other no worse than one after the other', async () => {
  await using trial = await createTrial()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await trial.registry.publish(name, name)
  const client = trial.client()
  const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => client.find(name)))
  expect(found).toEqual(['a', 'b', 'c', 'd', 'e'].map(measure))
})

test('[A-264] check accepts the bytes that are listed, and no others', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const client = trial.client()
  expect(await client.check(PATH, Buffer.from('one'))).toEqual(measure('one'))
  expect(await reasonOf(client.check(PATH, Buffer.from('two')))).toBe('mix_and_match')
  expect(await reasonOf(client.check(PATH, Buffer.from('one and more')))).toBe('mix_and_match')
  expect(await reasonOf(client.check('feeds/tool/repository.json', Buffer.from('one')))).toBe('not_listed')
})

test('[A-265] a repository in a folder is read through file://', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  await trial.registry.rotateOnlineKey()
  const client = trial.client({ metadataUrl: pathToFileURL(join(trial.folder, 'tuf')).href })
  expect(await client.find(PATH)).toEqual(measure('one'))
  expect(trial.server.requests).toEqual([])
})

test('[A-265] what is no regular file is not read', async () => {
  await using trial = await createTrial()
  await mkdir(join(trial.folder, 'strange', 'timestamp.json'), { recursive: true })
  const client = trial.client({ metadataUrl: pathToFileURL(join(trial.folder, 'strange')).href })
  expect(await reasonOf(client.refresh())).toBe('unreachable')
})

test('[A-265] other addresses than http, https and file are a mistake of the caller', async () => {
  await using trial = await createTrial()
  expect(() => trial.client({ metadataUrl: 'ftp://127.0.0.1/tuf' })).toThrow('http, https or file')
})

test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  '[A-266] %s is not listed',
  async (path) => {
    await using trial = await createTrial()
    expect(await trial.client().find(path)).toBeUndefined()
  },
)

test('[A-268] a pinned root that is no root is refused', async () => {
  await using trial = await createTrial()
  expect(await reasonOf(trial.client({ root: Buffer.from('<html>') }).refresh())).toBe('bad_signature')
  expect(await reasonOf(trial.client({ root: trial.registry.file('targets').bytes }).refresh())).toBe(
    'bad_signature',
  )
})

test('[A-268] a pinned root that its own keys did not sign is refused', async () => {
  await using trial = await createTrial()
  const root = Buffer.from(Buffer.from(trial.registry.root).toString().replace('"version":1', '"version":2'))
  expect(await reasonOf(trial.client({ root }).refresh())).toBe('bad_signature')
})

test.for(['', 'not json', '[]', '{}', '{"signed":{"_type":"timestamp"},"signatures":[]}', '{"signed":null}'])(
  '[A-269] a timestamp that reads %j is bad_signature',
  async (text) => {
    await using trial = await createTrial()
    trial.server.replace('timestamp.json', Buffer.from(text))
    expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
  },
)

test('[A-263] a static repository with a plain list is followed from one build to the next', async () => {
  await using trial = await createTrial()
  const { folder, registry } = trial
  const { now, expires } = registry
  const [rootKey, targetsKey, onlineKey] = [createSigningKey(), createSigningKey(), createSigningKey()]
  const one = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
  const roles = { root: one(rootKey), targets: one(targetsKey), online: one(onlineKey) }
  const root = createRoot({ roles, now, expires, keys: [rootKey] })
  const keys = { targets: [targetsKey], online: [onlineKey] }
  const build = (content: string, previous: ReturnType<typeof signStaticRepository>) =>
    signStaticRepository({
      files: new Map([[PATH, Buffer.from(content)]]),
      root: root.bytes,
      keys,
      previous,
      now,
    })
  const first = build('one', [])
  for (const { name, bytes } of first) trial.server.replace(name, bytes)
  const client = openTrustedIndex({
    metadataUrl: trial.server.url,
    cacheFolder: join(folder, 'own'),
    root: root.bytes,
    fetch,
  })
  expect(await client.find(PATH)).toEqual(measure('one'))
  for (const { name, bytes } of build('two', first)) trial.server.replace(name, bytes)
  await client.refresh()
  expect(await client.find(PATH)).toEqual(measure('two'))
})
