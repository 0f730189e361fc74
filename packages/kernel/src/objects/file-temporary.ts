import { randomUUID } from 'node:crypto'
import { type FileHandle, lstat, open, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onEngine } from './errors.ts'

const NAME = /^[0-9a-f-]{36}\.part$/
const MAX_EXAMINED = 10_000

/** A file that is gone when it is disposed of, unless it was renamed. */
export interface TemporaryFile extends AsyncDisposable {
  readonly path: string
  readonly file: FileHandle
}

export async function openTemporary(folder: string, mode: number): Promise<TemporaryFile> {
  const path = join(folder, `${randomUUID()}.part`)
  const file = await onEngine(open(path, 'wx+', mode))
  return {
    path,
    file,
    async [Symbol.asyncDispose]() {
      // What went wrong before is what the caller must hear of; a file that cannot be removed is a leftover.
      await file.close().catch(() => undefined)
      await rm(path, { force: true }).catch(() => undefined)
    },
  }
}

/**
 * Removes what killed processes left in the folder. Young files may belong to a put that is under way, here or on another
 * node. Bounded, so that a full folder cannot delay a start; the next start goes on.
 */
export async function removeLeftovers(
  folder: string,
  before: Date,
  maxExamined = MAX_EXAMINED,
): Promise<void> {
  let examined = 0
  for await (const entry of await opendir(folder)) {
    examined += 1
    if (examined > maxExamined) return
    if (!entry.isFile() || !NAME.test(entry.name)) continue
    const path = join(folder, entry.name)
    const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    // One that cannot be removed must not stop the start.
    if (mtimeMs < before.getTime()) await rm(path).catch(() => undefined)
  }
}
