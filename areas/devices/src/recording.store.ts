import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type IReadable, McapIndexedReader } from '@mcap/core'
import type { RecordedValue, RecordingFile, RecordingGap } from '@patchbay/contracts/devices'
import { RECORDING_LIMITS } from '@patchbay/contracts/limits'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { DevicesDeps } from './deps.ts'
import type { Recorder } from './recorder.store.ts'
import {
  decompressHandlers,
  messagesIn,
  milliseconds,
  nanoseconds,
  type RecordedChannel,
  valueIn,
  writeFile,
} from './recording-file.ts'
import { DAY_MS } from './rollup.ts'
import type { DevicesTables } from './tables.ts'

const decompress = promisify(zstdDecompress)

type Tables = Db<DevicesTables>
type FileDeps = Pick<DevicesDeps, 'db' | 'recordings' | 'clock' | 'createSecret' | 'log'>

/** A node that has not said for so long that it is there has died. */
const DEAD_MS = 10_000
const CHUNKS_AT_ONCE = 64
const DEVICES_AT_ONCE = 500
const FILES_AT_ONCE = 4
const BATCH = 500
/** What an uncompressed chunk can be at most: what one device may send while a database is away. */
const MOST_CHUNK_BYTES = 64 * 1024 ** 2

interface ChunkRow {
  readonly id: number
  readonly from: Date
  readonly to: Date
  readonly messages: number
  readonly size: number
  readonly channels: readonly RecordedChannel[]
  readonly gapFrom: Date | null
  readonly gapReason: RecordingGap['reason'] | null
}

/** Chunks of runs that are over, and of this node's own that are due, become files. Answers how many files. */
export async function writeDueFiles(
  deps: FileDeps,
  { run, reachedSince }: Pick<Recorder, 'run' | 'reachedSince'>,
): Promise<number> {
  const { db, clock } = deps
  const now = clock.now().getTime()
  const { rows: runs } = await sql<{ id: number; seenAt: Date; isEnded: boolean }>`
    select id, seen_at as "seenAt", ended_at is not null as "isEnded" from device_recorder_runs as run
    where exists (select from device_chunks where run_id = run.id)
    order by id limit 100`.execute(db)
  let files = 0
  for (const { id, seenAt, isEnded } of runs) {
    const isOwn = id === run
    // Nobody could say that they are there while the database was away.
    const isDead =
      !isOwn &&
      !isEnded &&
      seenAt.getTime() < now - DEAD_MS &&
      reachedSince !== undefined &&
      reachedSince < now - DEAD_MS
    if (!isOwn && !isEnded && !isDead) continue
    const devices = await listDevicesOf(db, id, isOwn ? now - RECORDING_LIMITS.fileMs : undefined)
    for (let at = 0; at < devices.length; at += FILES_AT_ONCE) {
      // Most of the time of a file is waiting, for the database and for the disk.
      const written = await Promise.allSettled(
        devices
          .slice(at, at + FILES_AT_ONCE)
          .map((device) => writeFileOf(deps, device, id, isDead ? seenAt : undefined)),
      )
      for (const file of written) {
        if (file.status === 'rejected') throw file.reason
        if (file.value) files += 1
      }
    }
  }
  return files
}

/** Those with chunks that should be in a file by now: all, or those whose first one is older, or that have many bytes. */
async function listDevicesOf(db: Tables, run: number, before: number | undefined): Promise<number[]> {
  if (before === undefined) {
    const { rows } = await sql<{ id: number }>`
      select distinct device_id as id from device_chunks where run_id = ${run} limit ${DEVICES_AT_ONCE}`.execute(
      db,
    )
    return rows.map(({ id }) => id)
  }
  const { rows } = await sql<{ id: number }>`
    select device_id as id from device_chunks where run_id = ${run}
    group by device_id
    having min(from_at) <= ${new Date(before)}::timestamptz
      or sum(octet_length(bytes)) >= ${RECORDING_LIMITS.fileBytes}
    limit ${DEVICES_AT_ONCE}`.execute(db)
  return rows.map(({ id }) => id)
}

async function writeFileOf(
  deps: FileDeps,
  device: number,
  run: number,
  diedAt: Date | undefined,
): Promise<boolean> {
  const { db, recordings, createSecret } = deps
  const { rows: found } = await sql<ChunkRow>`
    select id, from_at as "from", to_at as "to", messages, octet_length(bytes) as size, channels,
      gap_from as "gapFrom", gap_reason as "gapReason"
    from device_chunks where device_id = ${device} and run_id = ${run} order by id limit 4000`.execute(db)
  const chunks = takeUntilFull(found)
  const [first] = chunks
  const last = chunks.at(-1)
  if (first === undefined || last === undefined) return false
  const home = await db
    .selectFrom('devices')
    .select(['owner', 'name'])
    .where('id', '=', device)
    .executeTakeFirst()
  const ids = chunks.map(({ id }) => id)
  if (home === undefined) {
    await db.deleteFrom('device_chunks').where('id', 'in', ids).execute()
    return false
  }
  const gaps = gapsOf(chunks)
  if (diedAt !== undefined && chunks.length === found.length)
    gaps.push(await gapAfter(db, device, run, diedAt))
  const head = { id: createSecret(), device: home.name, channels: last.channels, gaps }
  const stored = await recordings.put(writeFile(head, piecesOf(db, ids)))
  const isNoted = await inTransaction(db, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('device_chunks').where('id', 'in', ids).executeTakeFirst()
    // Another node has just done the same, or the device is gone.
    if (numDeletedRows !== BigInt(ids.length)) return false
    const { rows } = await sql`
      insert into device_recordings (device_id, owner, from_at, to_at, messages, size, sha256, gaps)
      select id, owner, ${first.from}::timestamptz, ${last.to}::timestamptz,
        ${chunks.reduce((sum, { messages }) => sum + messages, 0)}, ${stored.size}, ${stored.sha256}, ${JSON.stringify(gaps)}::jsonb
      from devices where id = ${device} for key share
      returning 1`.execute(tx)
    if (rows.length === 0) return false
    await changeStorage(tx, home.owner, stored.size)
    return true
  }).catch(async (error: unknown) => {
    await recordings.delete(stored.sha256).catch(() => undefined)
    throw error
  })
  if (!isNoted) await recordings.delete(stored.sha256)
  return isNoted
}

/** As many as one file has, with one list of channels that all of them name. */
function takeUntilFull(found: readonly ChunkRow[]): ChunkRow[] {
  const taken: ChunkRow[] = []
  let size = 0
  for (const chunk of found) {
    const before = taken.at(-1)?.channels ?? []
    // Recording was stopped and started in between: the same place means another channel.
    const isSameList = before.every(({ name }, index) => chunk.channels[index]?.name === name)
    if (size >= RECORDING_LIMITS.fileBytes || !isSameList) break
    taken.push(chunk)
    size += chunk.size
  }
  return taken
}

function gapsOf(chunks: readonly ChunkRow[]): RecordingGap[] {
  return chunks.flatMap(({ from, gapFrom, gapReason }) =>
    gapFrom === null || gapReason === null
      ? []
      : [{ from: gapFrom.toISOString(), to: from.toISOString(), reason: gapReason }],
  )
}

/** What a node that died had heard and not stored, until another one has heard something. */
async function gapAfter(db: Tables, device: number, run: number, diedAt: Date): Promise<RecordingGap> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(from_at) from device_chunks
        where device_id = ${device} and run_id <> ${run} and from_at >= ${diedAt}::timestamptz),
      (select min(from_at) from device_recordings
        where device_id = ${device} and from_at >= ${diedAt}::timestamptz)) as at`.execute(db)
  return { from: diedAt.toISOString(), to: rows[0]?.at?.toISOString() ?? null, reason: 'node_lost' }
}

async function* piecesOf(db: Tables, ids: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0; at < ids.length; at += CHUNKS_AT_ONCE) {
    const rows = await db
      .selectFrom('device_chunks')
      .select('bytes')
      .where('id', 'in', ids.slice(at, at + CHUNKS_AT_ONCE))
      .orderBy('id')
      .execute()
    for (const { bytes } of rows) yield await decompress(bytes, { maxOutputLength: MOST_CHUNK_BYTES })
  }
}

async function changeStorage(tx: Tables, owner: string, bytes: number): Promise<void> {
  await sql`
    insert into device_storage (owner, bytes) values (${owner}, greatest(0, ${bytes}))
    on conflict (owner) do update set bytes = greatest(0, device_storage.bytes + ${bytes})`.execute(tx)
}

/** Files that are no longer kept, those of removed devices, and what nodes left behind that died. */
export async function dropOldFiles(deps: FileDeps, fileDays: number): Promise<void> {
  const { db, recordings, clock } = deps
  const now = clock.now().getTime()
  const { rows } = await sql<{ id: number; owner: string; sha256: string; size: number }>`
    select id, owner, sha256, size from device_recordings
    where to_at < ${new Date(now - fileDays * DAY_MS)}::timestamptz or device_id is null
    order by id limit ${BATCH}`.execute(db)
  for (const { id, owner, sha256, size } of rows) {
    // Its bytes first: a row without bytes is tried again, bytes without a row would be found by nobody.
    await recordings.delete(sha256)
    await inTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('device_recordings')
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 1n) await changeStorage(tx, owner, -size)
    })
  }
  await sql`
    delete from device_chunks where id in (
      select chunk.id from device_chunks as chunk
      where not exists (select from devices where devices.id = chunk.device_id) limit ${BATCH})`.execute(db)
  await sql`
    delete from device_recorder_runs as run
    where seen_at < ${new Date(now - DAY_MS)}::timestamptz
      and not exists (select from device_chunks where run_id = run.id)`.execute(db)
}

const OBJECTS_PER_PAGE = 1_000

/** Files whose node died before it had noted them, a page of the store at a time. Answers where the next one begins. */
export async function dropUnknownFiles(
  { db, recordings, clock }: FileDeps,
  after: string | undefined,
): Promise<string | undefined> {
  const { objects, next } = await recordings.list({
    limit: OBJECTS_PER_PAGE,
    ...(after === undefined ? {} : { after }),
  })
  const before = new Date(clock.now().getTime() - DAY_MS)
  const old = objects.filter(({ storedAt }) => storedAt <= before).map(({ sha256 }) => sha256)
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from unnest(${old}::text[]) as object (sha256)
    where not exists (select from device_recordings as file where file.sha256 = object.sha256)`.execute(db)
  for (const { sha256 } of rows) await recordings.delete(sha256)
  return next
}

export interface ListedFile {
  readonly id: number
  readonly deviceId: number
  readonly file: Omit<RecordingFile, 'device'>
}

export async function listFiles(
  db: Tables,
  devices: readonly number[],
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<ListedFile[]> {
  let query = db
    .selectFrom('device_recordings')
    .select(['id', 'device_id', 'from_at', 'to_at', 'messages', 'size', 'gaps'])
    .where('device_id', 'in', devices.length === 0 ? [-1] : devices)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ id, device_id, from_at, to_at, messages, size, gaps }) => ({
    id,
    deviceId: device_id ?? -1,
    file: { from: from_at.toISOString(), to: to_at.toISOString(), values: messages, size, gaps: [...gaps] },
  }))
}

export interface ReadWish {
  readonly from: number
  /** Not included. */
  readonly to: number
  readonly channels?: readonly string[] | undefined
}

/** How many chunks are held in memory at once: usually all that are in no file yet. */
const CHUNKS_READ = 2_000

/** Every recorded value of a device in a time: of files first, then what is in no file yet. */
export async function* readRecorded(
  { db, recordings }: Pick<FileDeps, 'db' | 'recordings'>,
  device: number,
  { from, to, channels }: ReadWish,
): AsyncGenerator<RecordedValue, void, undefined> {
  const isWanted = ({ at, channel }: RecordedValue) =>
    at >= from && at < to && (channels === undefined || channels.includes(channel))
  for (let after = 0, isFirst = true; ; isFirst = false) {
    // One statement: what a chunk has is either still there or in a file.
    const { rows } = await sql<{
      from: Date
      sha256: string | null
      size: number
      id: number
      bytes: Buffer | null
      channels: readonly RecordedChannel[] | null
    }>`
      select from_at as "from", sha256, size, 0 as id, null::bytea as bytes, null::jsonb as channels
      from device_recordings
      where ${isFirst} and device_id = ${device}
        and from_at < ${new Date(to)}::timestamptz and to_at >= ${new Date(from)}::timestamptz
      union all (
        select from_at, null, 0, id, bytes, channels from device_chunks
        where device_id = ${device} and id > ${after}
          and from_at < ${new Date(to)}::timestamptz and to_at >= ${new Date(from)}::timestamptz
        order by id limit ${CHUNKS_READ})
      order by 1, 4`.execute(db)
    for (const { sha256, size, bytes, channels: list } of rows) {
      const values =
        sha256 === null
          ? await readChunk(bytes ?? Buffer.of(), list ?? [])
          : readFile(recordings, sha256, size, { from, to, channels })
      for await (const value of values) if (isWanted(value)) yield value
    }
    const chunks = rows.filter(({ sha256 }) => sha256 === null)
    if (chunks.length < CHUNKS_READ) return
    after = Math.max(...chunks.map(({ id }) => id))
  }
}

async function readChunk(bytes: Buffer, channels: readonly RecordedChannel[]): Promise<RecordedValue[]> {
  const messages = await decompress(bytes, { maxOutputLength: MOST_CHUNK_BYTES })
  return Array.from(messagesIn(messages), ({ channelId, logTime, data }) => ({
    channel: channels[channelId - 1]?.name ?? '',
    value: valueIn(data),
    at: milliseconds(logTime),
  }))
}

async function* readFile(
  objects: ObjectStore,
  sha256: string,
  size: number,
  { from, to, channels }: ReadWish,
): AsyncGenerator<RecordedValue, void, undefined> {
  const reader = await McapIndexedReader.Initialize({
    readable: readableOf(objects, sha256, size),
    decompressHandlers,
  })
  const names = new Map(
    Array.from(reader.channelsById.values(), ({ id, topic }) => [id, topic.slice(topic.indexOf('/') + 1)]),
  )
  const topics = Array.from(reader.channelsById.values(), ({ topic }) => topic).filter(
    (topic) => channels === undefined || channels.includes(topic.slice(topic.indexOf('/') + 1)),
  )
  const wanted = { topics, startTime: nanoseconds(from), endTime: nanoseconds(to) - 1n }
  for await (const { channelId, logTime, data } of reader.readMessages(wanted))
    yield { channel: names.get(channelId) ?? '', value: valueIn(data), at: milliseconds(logTime) }
}

/** Parts of an object, as the reader of MCAP asks for them. */
function readableOf(objects: ObjectStore, sha256: string, size: number): IReadable {
  return {
    size: async () => BigInt(size),
    async read(offset, length) {
      if (length === 0n) return new Uint8Array()
      const first = Number(offset)
      const part = await objects.getPart(sha256, { first, last: first + Number(length) - 1 })
      if (part === undefined) throw new Error(`the bytes of a recording are missing: ${sha256}`)
      const pieces: Buffer[] = []
      for await (const piece of part.stream) pieces.push(piece as Buffer)
      return Buffer.concat(pieces)
    },
  }
}
