import { crc32 } from 'node:zlib'
import { quote } from '@patchbay/primitives/text'
import type { ExtraField } from 'yauzl'
import { ArchiveRefused } from '../refusal.ts'

const UNICODE_PATH = 0x7075
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Names are UTF-8 with or without the flag that says so: common programs forget it. Reading other bytes as code page
 * 437, as the format once had it, would give each reader its own name.
 */
export function decodeName(raw: Buffer, extraFields: readonly ExtraField[]): string {
  const name = decode(raw)
  for (const { id, data } of extraFields) {
    if (id !== UNICODE_PATH) continue
    const isCurrent = data.length > 5 && data[0] === 1 && data.readUInt32LE(1) === crc32(raw)
    if (isCurrent && decode(data.subarray(5)) !== name)
      throw new ArchiveRefused(
        'hostile_name',
        `The name ${quote(name)} is spelled in two ways in the archive. Pack it again with names in UTF-8.`,
        { entry: name },
      )
  }
  return name
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    const entry = bytes.toString('latin1')
    throw new ArchiveRefused(
      'hostile_name',
      `The name ${quote(entry)} is not UTF-8. Pack it again with a program that writes UTF-8 names.`,
      { entry, cause },
    )
  }
}
