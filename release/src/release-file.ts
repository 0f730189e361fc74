import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** A file of a release, as its checksum names it. */
export interface ReleaseFile {
  /** Absolute. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

export async function measure(file: string): Promise<ReleaseFile> {
  const content = await readFile(file)
  return { file, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}
