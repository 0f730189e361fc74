import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const CHUNK_BYTES = 1024 * 1024

/** `undefined` when there is no such file. */
export async function hashFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
      hash.update(chunk as Buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}
