import { createHash } from 'node:crypto'
import { shownAddress } from './address.ts'
import type { Answer } from './answer.ts'
import { RepositoryFailure } from './failure.ts'

export interface ReadProgress {
  readonly bytes: number
  /** When the server or the repository says so. */
  readonly total: number | undefined
}

/** The body, as long as it stays within the limit. A length that is announced is believed only when it is too much. */
export async function* withinLimit(
  { body, length, url }: Answer,
  maxBytes: number,
  onProgress?: (progress: ReadProgress) => void,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new RepositoryFailure('too_large', `more than ${maxBytes} bytes; report it to whoever publishes it`, {
      url: shownAddress(url),
    })
  if (length !== undefined && length > maxBytes) throw tooLarge()
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw tooLarge()
    onProgress?.({ bytes, total: length })
    yield chunk
  }
}

export interface WholeBody {
  readonly bytes: Uint8Array
  readonly sha256: string
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<WholeBody> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const bytes = Buffer.concat(parts)
  return { bytes, sha256: sha256Of(bytes) }
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
