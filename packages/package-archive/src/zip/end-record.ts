import { ArchiveRefused } from '../refusal.ts'
import type { ByteSource } from './byte-source.ts'

/** Where the central directory is, from the records that end a zip. */
export interface EndRecord {
  readonly entryCount: number
  readonly directoryStart: number
  readonly directoryEnd: number
}

const SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const LENGTH = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_LENGTH = 20
const ZIP64_RECORD = 0x06064b50
const ZIP64_RECORD_LENGTH = 56
const LONGEST_TAIL = LENGTH + 0xffff + ZIP64_LOCATOR_LENGTH + ZIP64_RECORD_LENGTH

interface Directory {
  readonly entryCount: number
  readonly entriesOnDisk: number
  readonly size: number
  readonly start: number
}

/**
 * The library finds these records as well, but takes the last that looks like one, and does not ask what lies between
 * them and the directory. Another reader could find another directory there.
 */
export async function readEndRecord(source: ByteSource): Promise<EndRecord> {
  const tailLength = Math.min(source.size, LONGEST_TAIL)
  const tail = await source.read(source.size - tailLength, tailLength)
  const at = findEnd(tail)
  const plain = readPlain(tail, at)
  const isZip64 = at >= ZIP64_LOCATOR_LENGTH && tail.readUInt32LE(at - ZIP64_LOCATOR_LENGTH) === ZIP64_LOCATOR
  const { entryCount, entriesOnDisk, size, start } = isZip64
    ? readZip64(tail, at, source.size - tailLength, plain)
    : plain
  const recordsStart =
    source.size - tailLength + at - (isZip64 ? ZIP64_LOCATOR_LENGTH + ZIP64_RECORD_LENGTH : 0)
  if (entryCount !== entriesOnDisk) throw spansDisks()
  if (start + size !== recordsStart)
    throw ambiguous('There are bytes before the archive, or between its directory and its end')
  return { entryCount, directoryStart: start, directoryEnd: recordsStart }
}

function findEnd(tail: Buffer): number {
  const last = tail.lastIndexOf(SIGNATURE, Math.max(0, tail.length - LENGTH))
  if (last === -1 || last + LENGTH > tail.length)
    throw new ArchiveRefused('not_a_zip', 'This is not a zip archive, or its end is missing.')
  if (!reachesEnd(tail, last))
    throw ambiguous('There are bytes after the end of the archive, or its comment looks like another end')
  for (let at = tail.indexOf(SIGNATURE); at < last; at = tail.indexOf(SIGNATURE, at + 1))
    if (reachesEnd(tail, at))
      throw ambiguous('The archive has two ends, and readers would choose differently')
  return last
}

function reachesEnd(tail: Buffer, at: number): boolean {
  return at + LENGTH <= tail.length && at + LENGTH + tail.readUInt16LE(at + 20) === tail.length
}

function readPlain(tail: Buffer, at: number): Directory {
  const disks = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 6)]
  if (disks.some((disk) => disk !== 0 && disk !== 0xffff)) throw spansDisks()
  return {
    entriesOnDisk: tail.readUInt16LE(at + 8),
    entryCount: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
  }
}

function readZip64(tail: Buffer, at: number, tailStart: number, plain: Directory): Directory {
  const locator = at - ZIP64_LOCATOR_LENGTH
  const record = locator - ZIP64_RECORD_LENGTH
  if (
    record < 0 ||
    tail.readUInt32LE(record) !== ZIP64_RECORD ||
    readSize(tail, record + 4) !== ZIP64_RECORD_LENGTH - 12 ||
    readSize(tail, locator + 8) !== tailStart + record
  )
    throw ambiguous('The zip64 records at the end of the archive are not where they belong')
  if (tail.readUInt32LE(record + 16) !== 0 || tail.readUInt32LE(record + 20) !== 0) throw spansDisks()
  const directory = {
    entriesOnDisk: readSize(tail, record + 24),
    entryCount: readSize(tail, record + 32),
    size: readSize(tail, record + 40),
    start: readSize(tail, record + 48),
  }
  const agrees =
    [0xffff, directory.entriesOnDisk].includes(plain.entriesOnDisk) &&
    [0xffff, directory.entryCount].includes(plain.entryCount) &&
    [0xffff_ffff, directory.size].includes(plain.size) &&
    [0xffff_ffff, directory.start].includes(plain.start)
  if (!agrees) throw ambiguous('The zip64 record and the end of the archive contradict each other')
  return directory
}

/** What does not fit a number is larger than any file, and infinity fails every comparison with one. */
export function readSize(bytes: Buffer, at: number): number {
  const size = bytes.readBigUInt64LE(at)
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : Number.POSITIVE_INFINITY
}

function ambiguous(what: string): ArchiveRefused {
  return new ArchiveRefused('ambiguous', `${what}. Pack it again with an ordinary zip program.`)
}

function spansDisks(): ArchiveRefused {
  return new ArchiveRefused('not_a_zip', 'The archive is one part of several. Pack it as one file.')
}
