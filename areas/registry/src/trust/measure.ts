import { createHash } from 'node:crypto'
import type { FileInfo } from '@patchbay/package-trust/signing'

/** How signed metadata names a file. */
export function measureText(text: string): FileInfo {
  return { length: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}
