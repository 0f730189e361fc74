import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { binNameOf } from '../../src/signing/index.ts'
import { measure } from '../signed-registry.ts'
import { createTrial, reasonOf, type Trial } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'

async function listCache({ cacheFolder }: Trial): Promise<string[]> {
  const [folder = ''] = await readdir(cacheFolder)
  return (await readdir(join(cacheFolder, folder))).map((name) => join(cacheFolder, folder, name)).toSorted()
}

const namesOf = (paths: readonly string[]) => paths.map((path) => path.split('/').at(-1))

test('[A-279] a client that starts again fetches the timestamp, looks for a newer root, and nothing else', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  await trial.client().find(PATH)
  trial.server.requests.length = 0
  expect(await trial.client().find(PATH)).toEqual(measure('one'))
  expect(trial.server.requests).toEqual(['2.root.json', 'timestamp.json'])
})

test('[A-279] after a publish elsewhere the bin of a file is not fetched again', async () => {
  await using trial = await createTrial({ bits: 4 })
  await trial.registry.publish(PATH, 'one')
  await trial.client().find(PATH)
  await trial.registry.publish('sparse/tool/com.example.other.json', 'other')
  trial.server.requests.length = 0
  expect(await trial.client().find(PATH)).toEqual(measure('one'))
  expect(trial.server.requests).toEqual([
    '2.root.json',
    'timestamp.json',
    trial.registry.file('snapshot').name,
  ])
})

test('[A-280] the cache holds one of each kind, under names that say the version, and no session', async () => {
  await using trial = await createTrial()
  for (const content of ['one', 'two', 'three']) {
    await trial.registry.rotateOnlineKey()
    await trial.registry.publish(PATH, content)
    await trial.client().find(PATH)
  }
  const names = [
    `${binNameOf(PATH, 2)}.json`,
    'root.4.4.json',
    'snapshot.4.7.json',
    'targets.json',
    'timestamp.4.7.json',
  ]
  expect(namesOf(await listCache(trial))).toEqual(names)
})

test('[A-280] a process that was slower does not take away what a faster one has seen', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const old = trial.registry.state
  const { bytes } = trial.registry.file('timestamp')
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  trial.server.attacks.set('timestamp.json', (response) => {
    trial.server.attacks.clear()
    arrive()
    void gate.then(() => response.end(bytes))
  })
  const slow = trial.client().refresh()
  await arrived
  await trial.registry.publish(PATH, 'two')
  await trial.client().refresh()
  letGo()
  await slow
  trial.registry.restore(old)
  await trial.registry.write()
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})

test('[A-280] many clients at once on one cache all succeed', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const clients = Array.from({ length: 8 }, () => trial.client())
  const found = await Promise.all(clients.map((client) => client.find(PATH)))
  expect(new Set(found.map((file) => file?.sha256))).toEqual(new Set([measure('one').sha256]))
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
})

test('[A-280] a cached root, snapshot or bin that the disk has damaged is replaced by a good one', async () => {
  await using trial = await createTrial()
  await trial.registry.rotateOnlineKey()
  await trial.registry.publish(PATH, 'one')
  await trial.client().find(PATH)
  const files = await listCache(trial)
  for (const path of files) await writeFile(path, '{"sig')
  expect(await trial.client().find(PATH)).toEqual(measure('one'))
  const contents = await Promise.all(files.map((path) => readFile(path, 'utf8')))
  expect(contents.filter((text) => text === '{"sig')).toEqual([])
})

test('[A-281] the cache of one pinned root is not used with another', async () => {
  await using trial = await createTrial()
  await using stranger = await createTrial()
  await trial.client().refresh()
  const { root } = stranger.registry
  expect(await reasonOf(trial.client({ root }).refresh())).toBe('bad_signature')
  expect(await reasonOf(trial.client({ root, metadataUrl: stranger.server.url }).refresh())).toBe('trusted')
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
  expect(await readdir(trial.cacheFolder)).toHaveLength(2)
})

test('[A-281] nobody else may read the cache', async () => {
  await using trial = await createTrial()
  await trial.client().refresh()
  const [folder = ''] = await readdir(trial.cacheFolder)
  expect((await stat(join(trial.cacheFolder, folder))).mode & 0o777).toBe(0o700)
})

test('[A-283] sessions that a crash left are removed after an hour, and not before', async () => {
  await using trial = await createTrial()
  await trial.client().refresh()
  const [folder = ''] = await readdir(trial.cacheFolder)
  const sessionOf = async (name: string, minutes: number) => {
    const path = join(trial.cacheFolder, folder, name)
    await mkdir(path)
    await writeFile(join(path, 'timestamp.json'), '{"sig')
    const then = Date.now() / 1000 - minutes * 60
    await utimes(path, then, then)
  }
  await sessionOf('session-old', 61)
  await sessionOf('session-young', 59)
  await trial.client().refresh()
  const sessions = namesOf(await listCache(trial)).filter((name) => name?.startsWith('session-'))
  expect(sessions).toEqual(['session-young'])
})
