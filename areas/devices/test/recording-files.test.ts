import { zstdCompressSync } from 'node:zlib'
import type { RecordingFile } from '@patchbay/contracts/devices'
import type { Clock } from '@patchbay/kernel/clock'
import { createLog } from '@patchbay/kernel/log'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { dropOldFiles, dropUnknownFiles, readRecorded, writeDueFiles } from '../src/recording.store.ts'
import { createMessages } from '../src/recording-file.ts'
import { type DevicesNode, jsonOf, startDevices } from './start.ts'

const START = Date.UTC(2026, 5, 15, 12)
const log = createLog({ level: 'silent', process: 'server' })

interface Rig {
  readonly node: DevicesNode
  readonly deviceId: number
  now: number
  readonly deps: Parameters<typeof writeDueFiles>[0]
  /** A run of some node, as it stands in the database. */
  run(seenAt: number, endedAt?: number): Promise<number>
  /** As a node stores what a second has brought. */
  chunk(run: number, at: number, values: number, gap?: { from: number; reason: string }): Promise<void>
}

async function rig(recordings?: (store: ObjectStore) => ObjectStore): Promise<Rig> {
  const node = await startDevices({ isIdle: true })
  await node.add('one')
  const { rows } = await sql<{ id: number }>`select id from devices`.execute(node.db)
  let number = 0
  let secrets = 0
  const messages = createMessages()
  const made: Rig = {
    node,
    deviceId: rows[0]?.id ?? 0,
    now: START,
    deps: {
      db: node.db,
      recordings: recordings?.(node.recordings) ?? node.recordings,
      clock: { now: () => new Date(made.now) } satisfies Clock,
      log,
      createSecret: () => `secret-${(secrets += 1)}`,
    },
    async run(seenAt, endedAt) {
      const { id } = await node.db
        .insertInto('device_recorder_runs')
        .values({
          node: 'n',
          begun_at: new Date(START),
          seen_at: new Date(seenAt),
          ended_at: endedAt === undefined ? null : new Date(endedAt),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async chunk(run, at, values, gap) {
      for (let n = 0; n < values; n += 1)
        messages.add(`c${n % 4}`, n, at + Math.floor((n * 1_000) / values), at)
      const { from, to, count, channels } = messages
      await node.db
        .insertInto('device_chunks')
        .values({
          device_id: made.deviceId,
          run_id: run,
          number: (number += 1),
          from_at: new Date(from),
          to_at: new Date(to),
          messages: count,
          channels: JSON.stringify(channels),
          bytes: zstdCompressSync(messages.take()),
          gap_from: gap === undefined ? null : new Date(gap.from),
          gap_reason: gap === undefined ? null : (gap.reason as 'database_away'),
        })
        .execute()
    },
  }
  return made
}

const files = async (node: DevicesNode) =>
  (await jsonOf<{ items: RecordingFile[] }>(node.ask('GET', 'ada/board/device-recordings'))).items
const NOBODY = { run: undefined, reachedSince: undefined }

test('[G-91] a file ends after a quarter of an hour, and not before', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START)
  await made.chunk(run, START, 10)
  made.now = START + 14 * 60_000
  expect(await writeDueFiles(made.deps, { run, reachedSince: 0 })).toBe(0)
  made.now = START + 15 * 60_000
  expect(await writeDueFiles(made.deps, { run, reachedSince: 0 })).toBe(1)
  expect(await files(node)).toMatchObject([{ device: 'one', values: 10, gaps: [] }])
})

test('[G-92] a node that died has lost what came after its last batch: the file names this gap', async () => {
  const made = await rig()
  await using node = made.node
  const dead = await made.run(START + 1_500)
  await made.chunk(dead, START, 10)
  const next = await made.run(START + 9_000)
  await made.chunk(next, START + 8_000, 10)
  made.now = START + 9_000
  expect(await writeDueFiles(made.deps, { run: next, reachedSince: 0 })).toBe(0)
  made.now = START + 12_000
  // It cannot say that it is there while nobody reaches the database.
  expect(await writeDueFiles(made.deps, { run: next, reachedSince: START + 11_000 })).toBe(0)
  expect(await writeDueFiles(made.deps, { run: next, reachedSince: START })).toBe(1)
  expect((await files(node))[0]?.gaps).toEqual([
    {
      from: new Date(START + 1_500).toISOString(),
      to: new Date(START + 8_000).toISOString(),
      reason: 'node_lost',
    },
  ])
})

test('[G-92] what was lost while the database was away is named, and an end in order is no gap', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START, START + 2_000)
  await made.chunk(run, START, 10)
  await made.chunk(run, START + 60_000, 10, { from: START + 1_000, reason: 'database_away' })
  expect(await writeDueFiles(made.deps, NOBODY)).toBe(1)
  expect((await files(node))[0]?.gaps).toEqual([
    {
      from: new Date(START + 1_000).toISOString(),
      to: new Date(START + 60_000).toISOString(),
      reason: 'database_away',
    },
  ])
})

deepTest('[G-91] ten seconds of an hour are a few range reads', async () => {
  const reads: { first: number; last: number }[] = []
  const made = await rig((store) => ({
    ...store,
    async getPart(sha256, part) {
      reads.push(part)
      return await store.getPart(sha256, part)
    },
  }))
  await using _node = made.node
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const run = await made.run(START, START)
    for (let second = 0; second < 900; second += 10)
      await made.chunk(run, START + (quarter * 900 + second) * 1_000, 200)
    await writeDueFiles(made.deps, NOBODY)
  }
  const from = START + 1_800_000
  const values = []
  for await (const value of readRecorded(made.deps, made.deviceId, { from, to: from + 10_000 }))
    values.push(value)
  expect(values).toHaveLength(200)
  expect(reads.length).toBeLessThanOrEqual(12)
})

test('[G-91] of two nodes that make the same file, one does', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START, START)
  await made.chunk(run, START, 10)
  const written = await Promise.all([1, 2, 3].map(() => writeDueFiles(made.deps, NOBODY)))
  expect(written.reduce((sum, each) => sum + each, 0)).toBe(1)
  expect(await files(node)).toHaveLength(1)
  expect((await node.recordings.list({ limit: 10 })).objects).toHaveLength(1)
})

test('[G-96] recordings go when their time is over, with their bytes, and count no more', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START, START)
  await made.chunk(run, START, 10)
  await writeDueFiles(made.deps, NOBODY)
  await dropOldFiles(made.deps, 30)
  expect(await files(node)).toHaveLength(1)
  made.now = START + 31 * 24 * 60 * 60_000
  await dropOldFiles(made.deps, 30)
  expect(await files(node)).toEqual([])
  expect((await node.recordings.list({ limit: 10 })).objects).toEqual([])
  expect(await node.db.selectFrom('device_storage').select('bytes').execute()).toEqual([{ bytes: 0 }])
  expect(await node.db.selectFrom('device_recorder_runs').select('id').execute()).toEqual([])
})

test('[G-96] those of a removed device go with it, and so does what was in no file yet', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START, START)
  await made.chunk(run, START, 10)
  await writeDueFiles(made.deps, NOBODY)
  await made.chunk(run, START + 5_000, 10)
  await node.ask('DELETE', 'ada/board/devices/one')
  await dropOldFiles(made.deps, 30)
  expect((await node.recordings.list({ limit: 10 })).objects).toEqual([])
  expect(await node.db.selectFrom('device_chunks').select('id').execute()).toEqual([])
})

test('[G-96] a file whose node died before it was noted goes after a day', async () => {
  const made = await rig()
  await using node = made.node
  const store = await createFileObjects({ root: node.objectsFolder })
  async function* bytes() {
    yield Buffer.from('nobody knows of it')
  }
  const { sha256 } = await store.put(bytes())
  made.now = Date.now()
  await dropUnknownFiles(made.deps, undefined)
  expect(await node.recordings.stat(sha256)).toBeDefined()
  made.now = Date.now() + 25 * 60 * 60_000
  await dropUnknownFiles(made.deps, undefined)
  expect(await node.recordings.stat(sha256)).toBeUndefined()
})

test('[G-97] files are cut where recording was stopped in between, so that no value changes its channel', async () => {
  const made = await rig()
  await using node = made.node
  const run = await made.run(START, START)
  await made.chunk(run, START, 4)
  await sql`update device_chunks set channels = '[{"name":"other","kind":"number"}]'`.execute(node.db)
  await made.chunk(run, START + 5_000, 4)
  expect(await writeDueFiles(made.deps, NOBODY)).toBe(1)
  expect(await writeDueFiles(made.deps, NOBODY)).toBe(1)
  expect((await files(node)).map(({ values }) => values)).toEqual([4, 4])
})
