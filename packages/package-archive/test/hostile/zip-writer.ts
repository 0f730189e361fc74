import { crc32, deflateRawSync } from 'node:zlib'

/** What a header says, whether or not it is true. */
export interface HeaderFields {
  readonly name: string | Buffer
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly size: number
  readonly compressedSize: number
  readonly extra: Buffer
}

export interface CentralFields extends HeaderFields {
  readonly offset: number
  readonly attributes: number
  readonly madeBy: number
  readonly comment: Buffer
}

export interface ForgedEntry extends Partial<CentralFields> {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  /** In place of the compressed data. */
  readonly raw?: Buffer
  readonly local?: Partial<HeaderFields>
  readonly central?: Partial<CentralFields>
  readonly descriptor?: 12 | 16 | 20 | 24 | Buffer
  /** The directory names it, and nothing else of it is written. */
  readonly directoryOnly?: boolean
  /** Behind the data and the descriptor. */
  readonly gap?: Buffer
}

export interface ForgedEnd {
  readonly prefix?: Buffer
  /** Whether offsets count from the prefix, as in archives that are appended to a program. */
  readonly ignorePrefix?: boolean
  readonly beforeDirectory?: Buffer
  readonly afterDirectory?: Buffer
  readonly suffix?: Buffer
  readonly comment?: Buffer
  readonly commentLength?: number
  readonly entryCount?: number
  readonly entriesOnDisk?: number
  readonly directorySize?: number
  readonly directoryStart?: number
  readonly disk?: number
  readonly zip64?: Zip64End
}

export interface Zip64End {
  readonly entryCount?: bigint
  readonly directorySize?: bigint
  readonly directoryStart?: bigint
  readonly recordStart?: bigint
  readonly recordSize?: bigint
  readonly signature?: number
  readonly disk?: number
  /** The plain fields keep their values. */
  readonly keepPlain?: boolean
}

const NONE = Buffer.alloc(0)

/** A small zip writer that lies on request. */
export function forge(entries: readonly ForgedEntry[], end: ForgedEnd = {}): Buffer {
  const parts: Buffer[] = [end.prefix ?? NONE]
  let at = end.ignorePrefix === true ? 0 : (end.prefix?.length ?? 0)
  const push = (bytes: Buffer) => {
    parts.push(bytes)
    at += bytes.length
  }
  const directory: Buffer[] = []
  for (const entry of entries) {
    const { local, central, raw } = fieldsOf(entry, at)
    directory.push(centralHeader(central))
    if (entry.directoryOnly === true) continue
    push(localHeader(local))
    push(raw)
    push(descriptorOf(entry, central))
    push(entry.gap ?? NONE)
  }
  push(end.beforeDirectory ?? NONE)
  const start = at
  for (const header of directory) push(header)
  const size = at - start
  push(end.afterDirectory ?? NONE)
  push(endRecords(end, { at, start, size, count: entries.length }))
  push(end.suffix ?? NONE)
  return Buffer.concat(parts)
}

function fieldsOf(entry: ForgedEntry, at: number) {
  const data = Buffer.from(entry.data ?? '')
  const method = entry.method ?? (data.length > 0 ? 8 : 0)
  const raw = entry.raw ?? (method === 8 ? deflateRawSync(data) : data)
  const fields: CentralFields = {
    name: entry.name,
    flags: (entry.flags ?? 0x800) | (entry.descriptor === undefined ? 0 : 8),
    method,
    crc: entry.crc ?? crc32(data),
    size: entry.size ?? data.length,
    compressedSize: entry.compressedSize ?? raw.length,
    extra: entry.extra ?? NONE,
    offset: entry.offset ?? at,
    attributes: entry.attributes ?? 0,
    madeBy: entry.madeBy ?? 0x0314,
    comment: entry.comment ?? NONE,
  }
  const open = entry.descriptor === undefined ? {} : { crc: 0, size: 0, compressedSize: 0 }
  return { raw, local: { ...fields, ...open, ...entry.local }, central: { ...fields, ...entry.central } }
}

export function localHeader({ name, flags, method, crc, size, compressedSize, extra }: HeaderFields): Buffer {
  const bytes = Buffer.from(name)
  return Buffer.concat([
    pack([0x04034b50, 4], [20, 2], [flags, 2], [method, 2], [0, 2], [0x21, 2], [crc, 4]),
    pack([compressedSize, 4], [size, 4], [bytes.length, 2], [extra.length, 2]),
    bytes,
    extra,
  ])
}

function centralHeader(fields: CentralFields): Buffer {
  const name = Buffer.from(fields.name)
  const { flags, method, crc, size, compressedSize, extra, comment } = fields
  return Buffer.concat([
    pack([0x02014b50, 4], [fields.madeBy, 2], [20, 2], [flags, 2], [method, 2], [0, 2], [0x21, 2], [crc, 4]),
    pack([compressedSize, 4], [size, 4], [name.length, 2], [extra.length, 2], [comment.length, 2]),
    pack([0, 2], [0, 2], [fields.attributes, 4], [fields.offset, 4]),
    name,
    extra,
    comment,
  ])
}

function descriptorOf({ descriptor }: ForgedEntry, { crc, size, compressedSize }: CentralFields): Buffer {
  if (descriptor === undefined) return NONE
  if (Buffer.isBuffer(descriptor)) return descriptor
  const width = descriptor >= 20 ? 8 : 4
  const signature = descriptor % 8 === 0 ? pack([0x08074b50, 4]) : NONE
  return Buffer.concat([signature, pack([crc, 4], [compressedSize, width], [size, width])])
}

function endRecords(
  end: ForgedEnd,
  {
    at,
    start,
    size,
    count,
  }: { readonly at: number; readonly start: number; readonly size: number; readonly count: number },
): Buffer {
  const { zip64, comment = NONE } = end
  const isMarked = zip64 !== undefined && zip64.keepPlain !== true
  const record =
    zip64 === undefined
      ? NONE
      : Buffer.concat([
          pack([zip64.signature ?? 0x06064b50, 4], [zip64.recordSize ?? 44n, 8], [45, 2], [45, 2]),
          pack([zip64.disk ?? 0, 4], [0, 4], [zip64.entryCount ?? count, 8], [zip64.entryCount ?? count, 8]),
          pack([zip64.directorySize ?? size, 8], [zip64.directoryStart ?? start, 8]),
          pack([0x07064b50, 4], [0, 4], [zip64.recordStart ?? at, 8], [1, 4]),
        ])
  return Buffer.concat([
    record,
    pack([0x06054b50, 4], [end.disk ?? 0, 2], [0, 2]),
    pack([end.entriesOnDisk ?? end.entryCount ?? (isMarked ? 0xffff : count), 2]),
    pack([end.entryCount ?? (isMarked ? 0xffff : count), 2]),
    pack([end.directorySize ?? (isMarked ? 0xffff_ffff : size), 4]),
    pack([end.directoryStart ?? (isMarked ? 0xffff_ffff : start), 4]),
    pack([end.commentLength ?? comment.length, 2]),
    comment,
  ])
}

/** Little-endian numbers, each with its width in bytes. */
export function pack(
  ...numbers: readonly (readonly [value: number | bigint, width: 1 | 2 | 4 | 8])[]
): Buffer {
  return Buffer.concat(
    numbers.map(([value, width]) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      return bytes.subarray(0, width)
    }),
  )
}

export function extraField(id: number, data: Buffer): Buffer {
  return Buffer.concat([pack([id, 2], [data.length, 2]), data])
}
