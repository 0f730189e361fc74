import type { Package } from '@patchbay/package-format'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import type { Fault } from './fault.ts'
import { findOversize } from './metadata-size.ts'

/** Windows opens a device for these, with any extension: nobody there could keep a file of such a package. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9])(?:\.|$)/i

/** What the format allows and this service does not take. */
export function findStorageFaults(metadata: Package): Fault[] {
  return [
    ...findOversize(metadata),
    ...(DEVICE.test(metadata.identifier)
      ? [{ pointer: '/identifier', code: 'reserved_name', message: 'begins with the name of a device' }]
      : []),
    ...findPublishFaults(metadata)
      .filter(({ severity }) => severity === 'error')
      .map(({ pointer, message, code }) => ({ pointer, message, code })),
    ...findUnwritable(metadata),
  ]
}

/** PostgreSQL stores neither NUL nor half a character; without this the whole publication would be our failure. */
function findUnwritable(value: unknown, pointer = ''): Fault[] {
  if (typeof value === 'string') return isWritable(value) ? [] : [unwritable(pointer)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return isWritable(key) ? findUnwritable(item, place) : [unwritable(pointer)]
  })
}

function isWritable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function unwritable(pointer: string): Fault {
  return { pointer, code: 'unwritable_text', message: 'contains NUL or half of a surrogate pair' }
}
