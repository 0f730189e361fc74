import { createReadStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, open, opendir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Far above what an upload or the build of a feed may take. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000
const MAX_EXAMINED = 10_000
const OURS = /^(upload|feed)-/
const READ_BYTES = 1024 * 1024

/** An archive while it is examined. Gone when it is disposed of. */
export interface SpooledArchive extends AsyncDisposable {
  readonly path: string
  read(): AsyncIterable<Uint8Array>
}

/** Writes what `source` yields to a file of the spool. The source knows how much is too much. */
export async function spoolArchive(
  folder: string,
  source: AsyncIterable<Uint8Array>,
): Promise<SpooledArchive> {
  const place = await mkdtemp(join(folder, 'upload-'))
  const path = join(place, 'archive.zip')
  const remove = () => rm(place, { recursive: true, force: true })
  try {
    await using file = await open(path, 'wx', 0o600)
    for await (const chunk of source) await file.writeFile(chunk)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    path,
    read: () => createReadStream(path, { highWaterMark: READ_BYTES }),
    [Symbol.asyncDispose]: remove,
  }
}

/**
 * Makes the folder, and removes what killed processes left there. Young ones may belong to another node on this machine.
 * Bounded, so that a full folder cannot delay a start; the next start goes on.
 */
export async function openSpool(folder: string, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await refuseStrangers([dirname(folder), folder])
  let examined = 0
  for await (const { name } of await opendir(folder)) {
    examined += 1
    if (examined > MAX_EXAMINED) return
    if (!OURS.test(name)) continue
    const path = join(folder, name)
    const { mtimeMs } = await lstat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    // One that cannot be removed must not stop the start.
    if (mtimeMs < now.getTime() - LEFTOVER_AGE_MS)
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** In a temporary folder anybody could have made them first, and would read and replace what is uploaded. */
async function refuseStrangers(folders: readonly string[]): Promise<void> {
  const own = process.getuid?.()
  for (const folder of folders) {
    const { uid } = await lstat(folder)
    if (own !== undefined && uid !== own && uid !== 0)
      throw new Error(
        `${folder} belongs to somebody else. Name another folder for uploads: PATCHBAY_SPOOL_FOLDER`,
      )
  }
}
