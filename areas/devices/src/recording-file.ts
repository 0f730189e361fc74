import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type DecompressHandlers, McapRecordBuilder, type McapTypes } from '@mcap/core'
import type { DeviceValue, RecordingGap } from '@patchbay/contracts/devices'

export const KINDS = ['number', 'string', 'boolean', 'array', 'object'] as const
export type ValueKind = (typeof KINDS)[number]

export interface RecordedChannel {
  readonly name: string
  /** Of the first value, for programs that plot the file. */
  readonly kind: ValueKind
}

/** Messages of one device, one after the other as MCAP has them. */
export interface Messages {
  readonly length: number
  readonly count: number
  readonly from: number
  readonly to: number
  readonly channels: readonly RecordedChannel[]
  add(channel: string, value: DeviceValue, at: number, deviceAt: number): void
  /** The bytes; what comes afterwards begins anew, with the same channels. */
  take(): Buffer
}

const MESSAGE = 0x05
const HEAD = 9
const FIXED = 22
const NS_PER_MS = 1_000_000n
/** Fast rather than small: a node compresses what thousands of devices say. */
export const ZSTD = { params: { 100: 1 } } as const
/** Of messages before compression: what a reader fetches for one moment. */
const BLOCK_BYTES = 256 * 1024

export const decompressHandlers: DecompressHandlers = {
  zstd: (bytes, size) => zstdDecompressSync(bytes, { maxOutputLength: Number(size) }),
}

/** Times are written as text would be: programs that read MCAP count in nanoseconds. */
export const nanoseconds = (ms: number) => BigInt(ms) * NS_PER_MS
export const milliseconds = (ns: bigint) => Number(ns / NS_PER_MS)

export function kindOf(value: DeviceValue): ValueKind {
  if (Array.isArray(value)) return 'array'
  const kind = typeof value
  return kind === 'number' || kind === 'string' || kind === 'boolean' ? kind : 'object'
}

export function dataOf(value: DeviceValue): string {
  return typeof value === 'number' ? `{"value":${value}}` : `{"value":${JSON.stringify(value)}}`
}

export function valueIn(data: Uint8Array): DeviceValue {
  return (JSON.parse(Buffer.from(data).toString()) as { value: DeviceValue }).value
}

export function createMessages(): Messages {
  const ids = new Map<string, number>()
  const channels: RecordedChannel[] = []
  let buffer = Buffer.allocUnsafe(256)
  let length = 0
  let count = 0
  let from = 0
  let to = 0
  let sequence = 0
  let lastMs = Number.NaN
  let lastNs = 0n
  const inNanoseconds = (ms: number) => {
    // Most values come in the millisecond of the one before.
    if (ms !== lastMs) {
      lastMs = ms
      lastNs = nanoseconds(ms)
    }
    return lastNs
  }
  return {
    get length() {
      return length
    },
    get count() {
      return count
    },
    get from() {
      return from
    },
    get to() {
      return to
    },
    channels,
    add(channel, value, at, deviceAt) {
      let id = ids.get(channel)
      if (id === undefined) {
        id = channels.push({ name: channel, kind: kindOf(value) })
        ids.set(channel, id)
      }
      const data = dataOf(value)
      const most = HEAD + FIXED + data.length * 3
      if (length + most > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(length + most, buffer.length * 2))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      const written = buffer.write(data, length + HEAD + FIXED)
      buffer[length] = MESSAGE
      buffer.writeUInt32LE(FIXED + written, length + 1)
      buffer.writeUInt32LE(0, length + 5)
      buffer.writeUInt16LE(id, length + HEAD)
      buffer.writeUInt32LE(sequence, length + HEAD + 2)
      buffer.writeBigUInt64LE(inNanoseconds(at), length + HEAD + 6)
      buffer.writeBigUInt64LE(inNanoseconds(deviceAt), length + HEAD + 14)
      length += HEAD + FIXED + written
      sequence = (sequence + 1) >>> 0
      if (count === 0) from = at
      to = at
      count += 1
    },
    take() {
      const taken = buffer.subarray(0, length)
      buffer = Buffer.allocUnsafe(256)
      length = 0
      count = 0
      return taken
    },
  }
}

export interface RecordedMessage {
  readonly channelId: number
  readonly logTime: bigint
  readonly data: Buffer
}

export function* messagesIn(bytes: Buffer): Generator<RecordedMessage> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + HEAD + bytes.readUInt32LE(at + 1)
    yield {
      channelId: bytes.readUInt16LE(at + HEAD),
      logTime: bytes.readBigUInt64LE(at + HEAD + 6),
      data: bytes.subarray(at + HEAD + FIXED, end),
    }
    at = end
  }
}

const MESSAGE_INDEX = 0x07
const INDEX_HEAD = HEAD + 6
const INDEX_ENTRY = 16

interface BlockIndex {
  /** Records of the messages of each channel, one after the other. */
  readonly bytes: Buffer
  /** Where the record of each channel begins, and how many messages it has. */
  readonly channels: ReadonlyMap<number, { readonly offset: number; readonly count: number }>
  readonly first: bigint
  readonly last: bigint
}

/** Times and places are copied as they are: a BigInt for each would be most of what writing a file takes. */
function indexOf(block: Buffer): BlockIndex {
  const counts = new Map<number, number>()
  let [firstAt, lastAt, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0]
  for (let at = 0; at < block.length; at += HEAD + block.readUInt32LE(at + 1)) {
    const channelId = block.readUInt16LE(at + HEAD)
    counts.set(channelId, (counts.get(channelId) ?? 0) + 1)
    // Exact for whole milliseconds, and the clock may have been set back in between.
    const time = block.readUInt32LE(at + HEAD + 10) * 2 ** 32 + block.readUInt32LE(at + HEAD + 6)
    if (time < first) [firstAt, first] = [at, time]
    if (time >= last) [lastAt, last] = [at, time]
  }
  const channels = new Map<number, { offset: number; count: number; next: number }>()
  let length = 0
  for (const [channelId, count] of counts) {
    channels.set(channelId, { offset: length, count, next: length + INDEX_HEAD })
    length += INDEX_HEAD + count * INDEX_ENTRY
  }
  const bytes = Buffer.alloc(length)
  for (const [channelId, { offset, count }] of channels) {
    bytes[offset] = MESSAGE_INDEX
    bytes.writeUInt32LE(6 + count * INDEX_ENTRY, offset + 1)
    bytes.writeUInt16LE(channelId, offset + HEAD)
    bytes.writeUInt32LE(count * INDEX_ENTRY, offset + HEAD + 2)
  }
  for (let at = 0; at < block.length; at += HEAD + block.readUInt32LE(at + 1)) {
    const channel = channels.get(block.readUInt16LE(at + HEAD))
    if (channel === undefined) continue
    block.copy(bytes, channel.next, at + HEAD + 6, at + HEAD + 14)
    bytes.writeUInt32LE(at, channel.next + 8)
    channel.next += INDEX_ENTRY
  }
  const timeAt = (at: number) => block.readBigUInt64LE(at + HEAD + 6)
  return { bytes, channels, first: timeAt(firstAt), last: timeAt(lastAt) }
}

export interface FileHead {
  /** No two files are the same bytes: each is deleted by itself. */
  readonly id: string
  readonly device: string
  readonly channels: readonly RecordedChannel[]
  readonly gaps: readonly RecordingGap[]
}

const PROFILE = ''
export const LIBRARY = 'patchbay'

export function schemaOf(id: number, kind: ValueKind): McapTypes.Schema {
  const schema = { type: 'object', properties: { value: { type: kind } } }
  return {
    id,
    name: `patchbay.${kind}`,
    encoding: 'jsonschema',
    data: Buffer.from(JSON.stringify(schema)),
  }
}

/** An MCAP file of what one device has sent, from messages as `Messages` writes them, in the order of their times. */
export async function* writeFile(
  { id, device, channels, gaps }: FileHead,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const builder = new McapRecordBuilder()
  let written = 0n
  const take = () => {
    const bytes = Uint8Array.from(builder.buffer)
    builder.reset()
    written += BigInt(bytes.byteLength)
    return bytes
  }
  const schemas = KINDS.map((kind, index) => schemaOf(index + 1, kind))
  const described = channels.map(({ name, kind }, index) => ({
    id: index + 1,
    schemaId: KINDS.indexOf(kind) + 1,
    topic: `${device}/${name}`,
    messageEncoding: 'json',
    metadata: new Map<string, string>(),
  }))
  const describe = () => {
    for (const schema of schemas) builder.writeSchema(schema)
    for (const channel of described) builder.writeChannel(channel)
  }
  builder.writeMagic()
  builder.writeHeader({ profile: PROFILE, library: LIBRARY })
  describe()
  yield take()
  const metadata = {
    name: 'patchbay',
    metadata: new Map([
      ['id', id],
      ['gaps', JSON.stringify(gaps)],
    ]),
  }
  const metadataAt = written
  const metadataLength = builder.writeMetadata(metadata)
  yield take()

  const indexes: McapTypes.ChunkIndex[] = []
  const counts = new Map<number, bigint>()
  let first: bigint | undefined
  let last = 0n
  const writeBlock = (block: Buffer) => {
    const index = indexOf(block)
    const records = zstdCompressSync(block, ZSTD)
    const chunk = {
      messageStartTime: index.first,
      messageEndTime: index.last,
      uncompressedSize: BigInt(block.length),
      uncompressedCrc: crc32(block),
      compression: 'zstd',
      records,
    }
    const chunkStartOffset = written
    const chunkLength = builder.writeChunk(chunk)
    const messageIndexOffsets = new Map<number, bigint>()
    const indexAt = chunkStartOffset + chunkLength
    for (const [channelId, { offset, count }] of index.channels) {
      messageIndexOffsets.set(channelId, indexAt + BigInt(offset))
      counts.set(channelId, (counts.get(channelId) ?? 0n) + BigInt(count))
    }
    const { messageStartTime, messageEndTime, uncompressedSize } = chunk
    indexes.push({
      messageStartTime,
      messageEndTime,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength: BigInt(index.bytes.length),
      compression: 'zstd',
      compressedSize: BigInt(records.length),
      uncompressedSize,
    })
    first ??= messageStartTime
    last = messageEndTime
    written += BigInt(index.bytes.length)
    return [take(), index.bytes]
  }
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < BLOCK_BYTES) continue
    yield* writeBlock(Buffer.concat(waiting))
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield* writeBlock(Buffer.concat(waiting))

  builder.writeDataEnd({ dataSectionCrc: 0 })
  yield take()
  const summaryStart = written
  describe()
  builder.writeStatistics({
    messageCount: [...counts.values()].reduce((sum, count) => sum + count, 0n),
    schemaCount: schemas.length,
    channelCount: described.length,
    attachmentCount: 0,
    metadataCount: 1,
    chunkCount: indexes.length,
    messageStartTime: first ?? 0n,
    messageEndTime: last,
    channelMessageCounts: counts,
  })
  for (const index of indexes) builder.writeChunkIndex(index)
  builder.writeMetadataIndex({ offset: metadataAt, length: metadataLength, name: metadata.name })
  builder.writeFooter({ summaryStart, summaryOffsetStart: 0n, summaryCrc: 0 })
  builder.writeMagic()
  yield take()
}
