import yauzl, { type Entry, type LocalFileHeader } from 'yauzl'
import { refuseEntry } from './entry.ts'
import { localSizes } from './zip64-field.ts'

const HAS_DESCRIPTOR = 0x0008
/** Encryption in its three forms, the descriptor, and the encoding of the name. */
const FLAGS_THAT_MATTER = 0x0001 | 0x0008 | 0x0040 | 0x0800 | 0x2000

/**
 * Readers that go through a zip from its beginning believe these headers, the others the directory. Where the two
 * differ, whoever checks the archive and whoever installs it could see different files.
 */
export function checkLocalHeader(path: string, entry: Entry, header: LocalFileHeader): void {
  if (!header.fileName.equals(entry.fileNameRaw))
    throw refuseEntry('ambiguous', path, 'has another name in its own header')
  if (((header.generalPurposeBitFlag ^ entry.generalPurposeBitFlag) & FLAGS_THAT_MATTER) !== 0)
    throw refuseEntry('ambiguous', path, 'has other flags in its own header')
  if (header.compressionMethod !== entry.compressionMethod)
    throw refuseEntry('ambiguous', path, 'has another compression method in its own header')
  const local = localSizes(header, yauzl.parseExtraFields(header.extraField))
  // With a descriptor the header was written before the data was known, and says nothing.
  const isOpen = (header.generalPurposeBitFlag & HAS_DESCRIPTOR) !== 0
  const agrees = (stated: number, known: number) => stated === known || (isOpen && isUnknown(stated))
  if (!agrees(local.size, entry.uncompressedSize) || !agrees(local.compressedSize, entry.compressedSize))
    throw refuseEntry('size_mismatch', path, 'has another size in its own header')
  if (!agrees(header.crc32, entry.crc32))
    throw refuseEntry('crc_mismatch', path, 'has another checksum in its own header')
}

function isUnknown(stated: number): boolean {
  return stated === 0 || stated === 0xffff_ffff
}
