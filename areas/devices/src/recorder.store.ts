import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { GapReason } from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import { createCopyRows, isUniqueViolation } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesDeps } from './deps.ts'
import type { HeardValue } from './live-devices.store.ts'
import { createMessages, type Messages, type RecordedChannel, ZSTD } from './recording-file.ts'
import { findSeries, keepPartitions, LATEST_MS, storeRollups } from './rollup.store.ts'
import { createRollups, numbersOf, type Rollup, SECOND_MS, seriesKey } from './rollup.ts'

const compress = promisify(zstdCompress)

export interface Recorder {
  hear(heard: HeardValue): void
  /** Stores what was heard. What fails is tried again with the next. */
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
  /** The run of this node, once it has recorded something, and since when it has reached the database without a break. */
  readonly run: number | undefined
  readonly reachedSince: number | undefined
  /** For how long nothing could be stored. */
  readonly behindMs: number
}

/** Twice within the two seconds that a node which dies may lose. */
const FLUSH_MS = 800
const PARTITIONS_MS = 10 * 60_000
/** Of all devices, while the database is away. */
const MOST_BYTES = 64 * 1024 ** 2
const MOST_ROLLUPS = 200_000
/** Of one message on the wire, so that no statement is larger. */
const COPY_BYTES = 8 * 1024 ** 2
const CHUNK_COLUMNS = [
  'device_id',
  'run_id',
  'number',
  'from_at',
  'to_at',
  'messages',
  'channels',
  'bytes',
  'gap_from',
  'gap_reason',
] as const

interface Recorded {
  readonly messages: Messages
  gap: { readonly from: number; readonly reason: GapReason } | undefined
}

/** What could not be stored yet. */
interface Chunk extends Pick<Messages, 'from' | 'to' | 'count'> {
  readonly device: number
  readonly channels: readonly RecordedChannel[]
  readonly bytes: Buffer
  readonly gap: Recorded['gap']
}

export interface RecorderDeps extends Pick<DevicesDeps, 'db' | 'copy' | 'clock' | 'log'> {
  readonly node: string
  readonly broker: Pick<DevicesDeps['broker'], 'isUp'>
  readonly settings: Pick<DevicesDeps['settings'], 'recording'>
}

/** Keeps what devices say: every number by the second, and every value of devices that are recorded. */
export function createRecorder(deps: RecorderDeps): Recorder {
  const { db, copy, clock, log, broker, node, settings } = deps
  const rollups = createRollups()
  const seriesIds = new Map<string, number>()
  const seriesCounts = new Map<number, number>()
  const known = new Set<string>()
  /** Of bare numbers: making one for each value would be most of what hearing it takes. */
  const keys = new Map<number, Map<string, string>>()
  let recorded = new Map<number, Recorded>()
  /** Devices whose values wait too long for a file, and since when nothing more is recorded of them. */
  const behind = new Map<number, number>()
  let pending: Rollup[] = []
  let chunks: Chunk[] = []
  let chunkBytes = 0
  /** What is being stored, until the database has said that it is. */
  let batch: { readonly rows: Uint8Array } | undefined
  let chunkNumber = 0
  let run: number | undefined
  let reachedSince: number | undefined
  let storedUntil = 0
  const createdAt = clock.now().getTime()
  let partitionsUntil = 0
  let brokerAwaySince: number | undefined
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined

  function hear({ device, channel, value, at }: HeardValue): void {
    // The time of the server: those of devices are wrong now and then, and would be in other days.
    const now = clock.now().getTime()
    for (const [member, number] of numbersOf(value)) {
      const key = member === '' ? keyOf(device, channel) : seriesKey(device, channel, member)
      if (mayHave(device, key)) rollups.add(key, number, now)
    }
    recorded.get(device)?.messages.add(channel, value, now, at)
  }

  function keyOf(device: number, channel: string): string {
    const ofDevice = keys.get(device) ?? new Map<string, string>()
    keys.set(device, ofDevice)
    const key = ofDevice.get(channel) ?? seriesKey(device, channel, '')
    ofDevice.set(channel, key)
    return key
  }

  function mayHave(device: number, key: string): boolean {
    if (known.has(key)) return true
    const count = seriesCounts.get(device) ?? 0
    if (count >= RECORDING_LIMITS.series) return false
    seriesCounts.set(device, count + 1)
    known.add(key)
    return true
  }

  /** The devices that are recorded at the moment; those of an owner without room are not. */
  async function refreshRecorded(now: number): Promise<void> {
    const before = new Date(now - RECORDING_LIMITS.backlogMs)
    const { rows } = await sql<{ id: number; isFull: boolean; isBehind: boolean }>`
      select device.id, coalesce(storage.bytes, 0) >= ${settings.recording.ownerBytes} as "isFull",
        exists (select from device_chunks as chunk
          where chunk.device_id = device.id and chunk.from_at < ${before}::timestamptz) as "isBehind"
      from device_recorders as recorder
        join devices as device using (owner, repo)
        left join device_storage as storage on storage.owner = recorder.owner`.execute(db)
    const next = new Map<number, Recorded>()
    for (const { id, isFull, isBehind } of rows) {
      if (isBehind && !behind.has(id)) behind.set(id, now)
      if (isFull || isBehind) continue
      const since = behind.get(id)
      const gap = since === undefined ? undefined : ({ from: since, reason: 'store_away' } as const)
      next.set(id, recorded.get(id) ?? { messages: createMessages(), gap })
      behind.delete(id)
    }
    for (const id of behind.keys()) if (!rows.some((row) => row.id === id)) behind.delete(id)
    // What was heard before it ended is kept.
    for (const [id, { messages }] of recorded)
      if (!next.has(id) && messages.count > 0) collect(id, { messages, gap: undefined })
    recorded = next
    noteBroker(now)
  }

  function noteBroker(now: number): void {
    if (!broker.isUp) brokerAwaySince ??= now
    else if (brokerAwaySince !== undefined) {
      markGap(brokerAwaySince, 'broker_away')
      brokerAwaySince = undefined
    }
  }

  function markGap(from: number, reason: GapReason): void {
    for (const each of recorded.values()) each.gap ??= { from, reason }
  }

  function collect(device: number, { messages, gap }: Recorded): void {
    const { from, to, count } = messages
    const bytes = messages.take()
    chunks.push({ device, channels: [...messages.channels], bytes, from, to, count, gap })
    chunkBytes += bytes.length
  }

  /** While the database is away: the oldest goes, and what comes after it says so. */
  function bound(now: number): void {
    if (chunkBytes > MOST_BYTES) {
      const from = chunks[0]?.from ?? now
      chunks = []
      chunkBytes = 0
      markGap(from, 'database_away')
    }
    // Later ones would be in no minute.
    const oldest = now - LATEST_MS + 10_000
    if (pending.length > 0 && (pending[0]?.at ?? now) < oldest)
      pending = pending.filter(({ at }) => at >= oldest)
    if (pending.length > MOST_ROLLUPS) pending = pending.slice(-MOST_ROLLUPS)
  }

  async function nameSeries(): Promise<void> {
    const unknown = [...new Set(pending.map(({ series }) => series))].filter((key) => !seriesIds.has(key))
    for (let at = 0; at < unknown.length; at += 1_000)
      for (const [key, id] of await findSeries(db, unknown.slice(at, at + 1_000))) seriesIds.set(key, id)
  }

  async function storeSeconds(): Promise<void> {
    if (pending.length === 0) return
    await nameSeries()
    const storing = pending
    await storeRollups(copy, storing, seriesIds)
    pending = pending.slice(storing.length)
  }

  async function storeChunks(): Promise<void> {
    for (const [device, each] of recorded) {
      if (each.messages.count === 0) continue
      collect(device, each)
      each.gap = undefined
    }
    for (;;) {
      batch ??= await nextBatch()
      if (batch === undefined) return
      try {
        await copy('device_chunks', CHUNK_COLUMNS, batch.rows)
      } catch (error) {
        // It was stored, and the answer got lost.
        if (!isUniqueViolation(error)) throw error
      }
      batch = undefined
    }
  }

  async function nextBatch(): Promise<typeof batch> {
    if (chunks.length === 0) return undefined
    run ??= await beginRun()
    const rows = createCopyRows()
    const taken: Chunk[] = []
    for (const chunk of chunks) {
      if (rows.bytes > COPY_BYTES) break
      taken.push(chunk)
      const { device, from, to, count, channels, bytes, gap } = chunk
      rows.row(CHUNK_COLUMNS.length)
      rows.bigint(device)
      rows.bigint(run)
      rows.bigint(chunkNumber)
      chunkNumber += 1
      rows.time(from)
      rows.time(to)
      rows.integer(count)
      rows.json(channels)
      rows.binary(await compress(bytes, ZSTD))
      if (gap === undefined) rows.none()
      else rows.time(gap.from)
      if (gap === undefined) rows.none()
      else rows.text(gap.reason)
    }
    chunks = chunks.slice(taken.length)
    chunkBytes -= taken.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return { rows: rows.end() }
  }

  async function beginRun(): Promise<number> {
    const now = clock.now()
    const row = await db
      .insertInto('device_recorder_runs')
      .values({ node, begun_at: now, seen_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  async function flushOnce(): Promise<void> {
    const now = clock.now().getTime()
    pending.push(...rollups.takeUntil(Math.floor(now / SECOND_MS) * SECOND_MS))
    bound(now)
    try {
      if (now >= partitionsUntil) {
        await keepPartitions(db, new Date(now), settings.recording)
        partitionsUntil = now + PARTITIONS_MS
      }
      await storeChunks()
      if (run !== undefined) await seen(run, now, null)
      await storeSeconds()
      await refreshRecorded(now)
      reachedSince ??= now
      storedUntil = now
    } catch (err) {
      reachedSince = undefined
      if (now - storedUntil > 10_000) log.warn({ err }, 'failed to store values of devices, retrying')
    }
  }

  async function seen(id: number, now: number, endedAt: Date | null): Promise<void> {
    await db
      .updateTable('device_recorder_runs')
      .set({ seen_at: new Date(now), ended_at: endedAt })
      .where('id', '=', id)
      .execute()
  }

  function flush(): Promise<void> {
    underWay ??= flushOnce().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    hear,
    flush,
    get run() {
      return run
    },
    get reachedSince() {
      return reachedSince
    },
    get behindMs() {
      return Math.max(0, clock.now().getTime() - Math.max(storedUntil, createdAt))
    },
    start() {
      void flush()
      timer ??= setInterval(() => void flush(), FLUSH_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await underWay
      pending.push(...rollups.takeUntil(Number.POSITIVE_INFINITY))
      await flush()
      if (run === undefined) return
      const now = clock.now()
      await seen(run, now.getTime(), now).catch((err: unknown) =>
        log.debug({ err }, 'failed to end a recording'),
      )
    },
  }
}
