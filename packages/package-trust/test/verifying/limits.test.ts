import { setTimeout as sleep } from 'node:timers/promises'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { binNameOf } from '../../src/signing/index.ts'
import { createTrial, reasonOf } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'
const CHUNK = Buffer.alloc(65_536, 0x20)

test.for([
  '2.root.json',
  'timestamp.json',
  '1.snapshot.json',
  '1.targets.json',
  `1.${binNameOf(PATH, 2)}.json`,
])('[A-274] a server that sends %s without an end is cut off', async (name) => {
  await using trial = await createTrial()
  const closed = new Promise<number>((resolve) => {
    trial.server.attacks.set(name, (response) => {
      let sent = 0
      const send = () => {
        while (!response.destroyed && response.write(CHUNK)) sent += CHUNK.length
      }
      response.on('drain', send).on('close', () => resolve(sent))
      send()
    })
  })
  expect(await reasonOf(trial.client().find(PATH))).toBe('too_large')
  expect(await closed).toBeLessThan(32 * 1_048_576)
})

test('[A-274] a bin may not be longer than its snapshot says, by a single byte', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const { name, bytes } = trial.registry.file(binNameOf(PATH, 2))
  trial.server.replace(name, Buffer.concat([bytes, Buffer.from(' ')]))
  expect(await reasonOf(trial.client().find(PATH))).toBe('too_large')
})

test('[A-274] a file may not be larger than the limit, whatever the metadata above it says', async () => {
  await using trial = await createTrial()
  expect(await reasonOf(trial.client({ limits: { targetsBytes: 100 } }).refresh())).toBe('too_large')
})

test('[A-275] a server that sends a byte now and then is left at the deadline', async () => {
  await using trial = await createTrial()
  trial.server.attacks.set('timestamp.json', (response) => {
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  })
  const start = performance.now()
  expect(await reasonOf(trial.client({ limits: { deadlineMs: 300 } }).refresh())).toBe('unreachable')
  expect(performance.now() - start).toBeLessThan(atLatest(5000))
})

deepTest('[A-275] the deadline is one for the whole refresh, not for each file', async () => {
  await using trial = await createTrial()
  for (let rotations = 0; rotations < 5; rotations++) {
    await trial.registry.rotateOnlineKey()
    const { name, bytes } = trial.registry.file('root')
    trial.server.attacks.set(name, (response) => void sleep(120).then(() => response.end(bytes)))
  }
  expect(await reasonOf(trial.client({ limits: { deadlineMs: 300 } }).refresh())).toBe('unreachable')
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
})

test('[A-275] an aborted refresh ends at once, with the reason of the caller', async () => {
  await using trial = await createTrial()
  trial.server.attacks.set('timestamp.json', () => undefined)
  const reason = new Error('changed my mind')
  const abort = new AbortController()
  const refresh = trial.client().refresh({ signal: abort.signal })
  setTimeout(() => abort.abort(reason), 50)
  await expect(refresh).rejects.toBe(reason)
})

test('[A-282] a server that is away, answers an error or breaks off is unreachable, and the cache stays good', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const client = trial.client()
  await client.refresh()
  const before = await client.find(PATH)
  for (const status of [500, 429, 404]) {
    trial.server.attacks.set('timestamp.json', (response) => void response.writeHead(status).end('{}'))
    expect(await reasonOf(trial.client().refresh())).toBe('unreachable')
  }
  trial.server.attacks.set('timestamp.json', (response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{', () => response.destroy())
  })
  expect(await reasonOf(trial.client().refresh())).toBe('unreachable')
  expect(await reasonOf(trial.client({ metadataUrl: 'http://127.0.0.1:1/' }).refresh())).toBe('unreachable')
  expect(await client.find(PATH)).toEqual(before)
  trial.server.attacks.clear()
  expect(await trial.client().find(PATH)).toEqual(before)
})

test.each([401, 404, 503])(
  '[A-282] of a server that answers %d the failure has the status',
  async (status) => {
    await using trial = await createTrial()
    trial.server.attacks.set('timestamp.json', (response) => void response.writeHead(status).end())
    await expect(trial.client().refresh()).rejects.toMatchObject({ reason: 'unreachable', status })
    const away = trial.client({ metadataUrl: 'http://127.0.0.1:1/' }).refresh()
    await expect(away).rejects.toMatchObject({ reason: 'unreachable', status: undefined })
  },
)

test('[A-282] a root that answers 500 is not taken for the end of the chain', async () => {
  await using trial = await createTrial()
  trial.server.attacks.set('2.root.json', (response) => void response.writeHead(500).end())
  expect(await reasonOf(trial.client().refresh())).toBe('unreachable')
})
