import type { Contact, Package } from '@patchbay/package-format'
import { PACKAGE_KEYS, VERSION_KEYS } from '../packages/metadata-keys.ts'
import type { Fault } from './fault.ts'

/** Of one publication, as it is kept. The largest public one today has 3 KiB. */
const MAX_METADATA_BYTES = 64 * 1024
/** Of the keys that nobody knows, together: every reader of every list carries them along. */
const MAX_UNKNOWN_BYTES = 8 * 1024

const KNOWN_OF_PACKAGE: ReadonlySet<string> = new Set([...PACKAGE_KEYS, 'versions'])
const KNOWN_OF_CONTACT: ReadonlySet<string> = new Set(['name', 'contact'])
const KNOWN_OF_VERSION: ReadonlySet<string> = new Set([
  ...VERSION_KEYS,
  'download_url',
  'download_sha256',
  'download_size',
  'install_size',
])

/** Without these a few publishers fill the list of everybody until design tools can no longer read it. */
export function findOversize(metadata: Package): Fault[] {
  const size = bytesOf(metadata)
  const unknown = unknownParts(metadata).reduce((sum, part) => sum + bytesOf(part), 0)
  return [
    ...(size > MAX_METADATA_BYTES
      ? [fault('metadata_too_large', `has ${size} bytes; at most ${MAX_METADATA_BYTES} are kept`)]
      : []),
    ...(unknown > MAX_UNKNOWN_BYTES
      ? [
          fault(
            'unknown_keys_too_large',
            `has ${unknown} bytes in keys that the format does not know; at most ${MAX_UNKNOWN_BYTES} are kept`,
          ),
        ]
      : []),
  ]
}

function unknownParts(metadata: Package): Record<string, unknown>[] {
  const contacts: (Contact | undefined)[] = [metadata.author, metadata.maintainer]
  return [
    without(metadata, KNOWN_OF_PACKAGE),
    ...contacts.map((contact) => without(contact ?? {}, KNOWN_OF_CONTACT)),
    ...metadata.versions.map((version) => without(version, KNOWN_OF_VERSION)),
  ].filter((part) => Object.keys(part).length > 0)
}

function without(record: object, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !known.has(key)))
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function fault(code: string, message: string): Fault {
  return { pointer: '', code, message }
}
