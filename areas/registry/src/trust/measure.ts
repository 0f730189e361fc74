import { createHash } from 'node:crypto'
import type { FileInfo } from '@patchbay/package-trust/signing'

/** How signed metadata names a file; `null` for one that is no more. */
export function measureText(text: string | undefined): FileInfo | null {
  if (text === undefined) return null
  const bytes = Buffer.from(text)
  return { length: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') }
}
