import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { RecordedValue, RecordingFile } from '@patchbay/contracts/devices'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { PUBLIC_URL, signIn } from './people.ts'
import { migratedDatabase, spawnServer } from './start.ts'

const PATIENCE = { deadlineMs: 120_000 }
const RANGE = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
const BOARD = '/api/workspaces/editor/ada/board'
const LOST_MS = 2_000

async function startFleet() {
  await using starting = new AsyncDisposableStack()
  const migrated = starting.use(await migratedDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-recording-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    DATABASE_URL: migrated.url,
    PATCHBAY_PUBLIC_URL: PUBLIC_URL,
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
  }
  const [first, second] = [
    starting.use(await spawnServer(environment)),
    starting.use(await spawnServer(environment)),
  ]
  const { db } = starting.use(
    createDatabase<IdentityTables>({ url: migrated.url, poolSize: 2, applicationName: 'test' }),
  )
  const { page } = await signIn(db, second, 'ada')
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(second.url + path, {
      method,
      headers: { ...page, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (answer.status === 204 ? undefined : await answer.json()) as T
  }
  await ask('PUT', BOARD, {})
  const { key } = await ask<{ key: string }>('POST', `${BOARD}/devices`, { name: 'one' })
  await ask('PUT', `${BOARD}/device-recorder`)
  const send = async (url: string, n: number) => {
    const answer = await fetch(`${url}/api/devices/values`, {
      method: 'POST',
      headers: { 'x-device-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ n }),
    })
    if (answer.status !== 204) throw new Error(String(answer.status))
  }
  const recorded = async () =>
    (await ask<{ items: RecordedValue[] }>('GET', `${BOARD}/devices/one/recorded-values?${RANGE}&limit=5000`))
      .items
  const files = async () => (await ask<{ items: RecordingFile[] }>('GET', `${BOARD}/device-recordings`)).items
  const running = starting.move()
  return { first, second, send, recorded, files, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test('[G-92] a node that is killed while it records has lost at most 2 s, and the file that another one makes names them', {
  timeout: 300_000,
}, async () => {
  await using fleet = await startFleet()
  const { first, second, send, recorded, files } = fleet
  await waitUntil(
    'it is recorded',
    async () => {
      await send(first.url, 0)
      return (await recorded()).length > 0
    },
    PATIENCE,
  )
  const sent: { n: number; at: number }[] = []
  for (let n = 1; n <= 200; n += 1) {
    await send(first.url, n)
    sent.push({ n, at: Date.now() })
    await sleep(20)
  }
  const killedAt = Date.now()
  await first.kill('SIGKILL')
  const found = new Set((await recorded()).map(({ value }) => value))
  const missing = sent.filter(({ n }) => !found.has(n))
  expect(missing.every(({ at }) => at >= killedAt - LOST_MS)).toBe(true)
  await waitUntil(
    'the other node records it',
    async () => {
      await send(second.url, 1_000)
      return (await recorded()).some(({ value }) => value === 1_000)
    },
    PATIENCE,
  )
  await waitUntil('its file is made', async () => (await files()).length > 0, PATIENCE)
  const [file] = (await files()).toReversed()
  const [gap] = file?.gaps ?? []
  expect(gap?.reason).toBe('node_lost')
  expect(Date.parse(gap?.from ?? '')).toBeGreaterThan(killedAt - LOST_MS)
  for (const { at } of missing) expect(at).toBeGreaterThanOrEqual(Date.parse(gap?.from ?? '') - 50)
  const after = (await recorded()).map(({ value }) => value)
  expect(after.filter((value) => typeof value === 'number' && value > 0 && value < 1_000)).toEqual(
    sent.filter(({ n }) => found.has(n)).map(({ n }) => n),
  )
})
