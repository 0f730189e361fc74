import type { ArchiveRefusal } from '../refusal.ts'

export interface NameFault {
  readonly reason: ArchiveRefusal
  readonly message: string
}

/** Invisible characters let two names look alike; the others end a line or act on a terminal. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/
const DRIVE = /^[a-z]:/i
/** Windows opens a device for these, in any folder and with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/i
const MAX_SEGMENT_BYTES = 255

/** The name of an entry, without the slash that ends a folder's. `undefined`: it means the same file everywhere. */
export function findNameFault(name: string, maxPathLength: number): NameFault | undefined {
  const slashed = name.replaceAll('\\', '/')
  if (slashed.startsWith('/') || DRIVE.test(slashed))
    return fault('absolute_path', 'is an absolute path; names must be relative to the root of the archive')
  if (slashed.split('/').includes('..')) return fault('traversal', 'leads out of the archive')
  if (name.includes('\\'))
    return hostile('has backslashes, as some old Windows programs write them; pack it with another program')
  if (INVISIBLE.test(name)) return hostile('has control or invisible characters')
  if (FORBIDDEN_ON_WINDOWS.test(name)) return hostile('has one of < > : " | ? *, which Windows refuses')
  if (Buffer.byteLength(name) > maxPathLength) return hostile(`is longer than ${maxPathLength} bytes`)
  for (const segment of name.split('/')) {
    const message = segmentFault(segment)
    if (message !== undefined) return hostile(message)
  }
  return undefined
}

function segmentFault(segment: string): string | undefined {
  if (segment === '') return 'is empty or has an empty folder name'
  if (segment === '.') return 'has the folder name "."'
  if (/[. ]$/.test(segment)) return 'has a part that ends in a dot or a blank, which Windows drops'
  if (DEVICE.test(segment)) return 'has a part that is a device on Windows'
  if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
    return `has a part of more than ${MAX_SEGMENT_BYTES} bytes`
  return undefined
}

function hostile(message: string): NameFault {
  return fault('hostile_name', message)
}

function fault(reason: ArchiveRefusal, message: string): NameFault {
  return { reason, message }
}
