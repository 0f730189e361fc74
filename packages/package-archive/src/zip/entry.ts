import { quote } from '@patchbay/primitives/text'
import { type ArchiveRefusal, ArchiveRefused } from '../refusal.ts'

/** What a zip says of one entry, once its headers have been found to agree. */
export interface ArchiveEntry {
  /** Relative, with `/`, and without the slash that ends a folder's name. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  readonly isDeflated: boolean
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  readonly headerStart: number
  readonly dataStart: number
  readonly hasDescriptor: boolean
}

/** `what` completes a sentence that begins with the entry's name. */
export function refuseEntry(
  reason: ArchiveRefusal,
  entry: string,
  what: string,
  cause?: unknown,
): ArchiveRefused {
  return new ArchiveRefused(reason, `${quote(entry)} ${what}.`, { entry, cause })
}
