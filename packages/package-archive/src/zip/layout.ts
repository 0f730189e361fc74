import { ArchiveRefused } from '../refusal.ts'
import type { ByteSource } from './byte-source.ts'
import { readSize } from './end-record.ts'
import { type ArchiveEntry, refuseEntry } from './entry.ts'

const DESCRIPTOR = 0x08074b50
/** Without and with its signature, with sizes of 4 and of 8 bytes. */
const DESCRIPTOR_LENGTHS = [12, 16, 20, 24]

/**
 * The entries must cover everything from the first byte to the directory, each byte once. Shared bytes make a bomb of
 * a small archive; bytes that belong to nobody can be a second archive for another reader.
 */
export async function checkLayout(
  source: ByteSource,
  entries: readonly ArchiveEntry[],
  directoryStart: number,
): Promise<void> {
  const inOrder = entries.toSorted((a, b) => a.headerStart - b.headerStart)
  const first = inOrder[0]?.headerStart ?? directoryStart
  if (first !== 0) throw strayBytes('before its first entry')
  for (const [index, entry] of inOrder.entries()) {
    const dataEnd = entry.dataStart + entry.compressedSize
    const next = inOrder[index + 1]?.headerStart ?? directoryStart
    if (next < dataEnd)
      throw refuseEntry(
        'overlap',
        entry.path,
        'shares bytes with another entry or the directory. Pack it again',
      )
    if (entry.hasDescriptor) await checkDescriptor(source, entry, next - dataEnd)
    else if (next !== dataEnd) throw strayBytes(`after ${JSON.stringify(entry.path)}`)
  }
}

async function checkDescriptor(source: ByteSource, entry: ArchiveEntry, length: number): Promise<void> {
  if (!DESCRIPTOR_LENGTHS.includes(length)) throw strayBytes(`after ${JSON.stringify(entry.path)}`)
  const bytes = await source.read(entry.dataStart + entry.compressedSize, length)
  const hasSignature = length % 8 === 0
  if (hasSignature && bytes.readUInt32LE(0) !== DESCRIPTOR)
    throw strayBytes(`after ${JSON.stringify(entry.path)}`)
  const rest = hasSignature ? bytes.subarray(4) : bytes
  const [compressedSize, size] =
    rest.length === 12
      ? [rest.readUInt32LE(4), rest.readUInt32LE(8)]
      : [readSize(rest, 4), readSize(rest, 12)]
  if (compressedSize !== entry.compressedSize || size !== entry.size)
    throw refuseEntry('size_mismatch', entry.path, 'has another size in its descriptor')
  if (rest.readUInt32LE(0) !== entry.crc32)
    throw refuseEntry('crc_mismatch', entry.path, 'has another checksum in its descriptor')
}

function strayBytes(where: string): ArchiveRefused {
  return new ArchiveRefused(
    'ambiguous',
    `The archive has bytes ${where} that belong to no entry. Pack it again with an ordinary zip program.`,
  )
}
