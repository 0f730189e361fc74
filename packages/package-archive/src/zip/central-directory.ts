import yauzl, { type Entry } from 'yauzl'
import type { ArchiveLimits } from '../limits.ts'
import { findNameFault } from '../name/check-name.ts'
import { decodeName } from '../name/decode-name.ts'
import { NameTable } from '../name/name-table.ts'
import { ArchiveRefused } from '../refusal.ts'
import type { ByteSource } from './byte-source.ts'
import type { EndRecord } from './end-record.ts'
import { type ArchiveEntry, refuseEntry } from './entry.ts'
import { checkKind } from './entry-kind.ts'
import { checkLocalHeader } from './local-header.ts'
import { SourceReader } from './source-reader.ts'
import { checkZip64Field } from './zip64-field.ts'

const STORED = 0
const DEFLATED = 8
const AES = 99
const HAS_DESCRIPTOR = 0x0008
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000
const PATCHED = 0x0020

/** Every entry, in the directory's order, with names, kinds and headers checked. No data is read. */
export async function listEntries(
  source: ByteSource,
  end: EndRecord,
  limits: ArchiveLimits,
): Promise<ArchiveEntry[]> {
  const names = new NameTable()
  const entries: ArchiveEntry[] = []
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(
      new SourceReader(source, end.directoryStart),
      source.size,
      {
        autoClose: false,
        decodeStrings: false,
        validateEntrySizes: false,
      },
    )
    let directoryEnd = end.directoryStart
    for await (const entry of zip.eachEntry()) {
      directoryEnd += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      const checked = checkEntry(entry, names, limits)
      const header = await zip.readLocalFileHeaderPromise(entry)
      checkLocalHeader(checked.path, entry, header)
      entries.push({ ...checked, dataStart: header.fileDataStart })
    }
    if (zip.entryCount !== end.entryCount || directoryEnd !== end.directoryEnd)
      throw new ArchiveRefused(
        'ambiguous',
        'The directory of the archive does not hold as many entries as it says. Pack it again.',
      )
  } catch (error) {
    throw asRefusal(error)
  }
  return entries
}

function checkEntry(entry: Entry, names: NameTable, limits: ArchiveLimits): Omit<ArchiveEntry, 'dataStart'> {
  const name = decodeName(entry.fileNameRaw, entry.extraFields)
  const path = name.endsWith('/') && name !== '/' ? name.slice(0, -1) : name
  const fault = findNameFault(path, limits.maxPathLength)
  if (fault !== undefined) throw refuseEntry(fault.reason, name, fault.message)
  const kind = checkKind(name, entry)
  const collision = names.add(path, kind)
  if (collision !== undefined) throw refuseEntry(collision.reason, path, collision.message)
  checkEncoding(path, entry)
  checkZip64Field(path, entry)
  return {
    path,
    kind,
    isDeflated: entry.compressionMethod === DEFLATED,
    crc32: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    headerStart: entry.relativeOffsetOfLocalHeader,
    hasDescriptor: (entry.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0,
  }
}

function checkEncoding(path: string, entry: Entry): void {
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0 || entry.compressionMethod === AES)
    throw refuseEntry('encrypted', path, 'is encrypted. Pack it without a password')
  const isKnown = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED
  if (!isKnown || (entry.generalPurposeBitFlag & PATCHED) !== 0)
    throw refuseEntry(
      'unsupported_method',
      path,
      'is compressed in a rare way. Pack it with the method Deflate',
    )
  if (entry.compressionMethod === STORED && entry.compressedSize !== entry.uncompressedSize)
    throw refuseEntry('size_mismatch', path, 'has two sizes although it is not compressed')
}

/** The library says what is wrong in plain errors. Those of the file system have a code, and are no fault of the zip. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ArchiveRefused || 'code' in error) return error
  if (error.message.startsWith('strong encryption'))
    return new ArchiveRefused('encrypted', 'The archive is encrypted. Pack it without a password.', {
      cause: error,
    })
  return new ArchiveRefused('not_a_zip', `The archive is damaged: ${error.message}.`, { cause: error })
}
