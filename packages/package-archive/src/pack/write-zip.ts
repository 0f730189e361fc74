import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/**
 * The earliest time that a zip can say, in the zone of this machine: the format has no zone, so these are the same bytes
 * everywhere. A field with the time in UTC would not be.
 */
export const FIXED_FIELDS = {
  mtime: new Date(1980, 0, 1),
  mode: 0o100_644,
  forceDosTimestamp: true,
} as const

/** Adds the entries. The signal ends whatever of them is open when the zip is done, or has failed. */
type Fill = (zip: ZipFile, signal: AbortSignal) => void

/**
 * A zip that appears under its name when it is whole. `check` sees it before; what it throws leaves nothing behind.
 */
export async function writeZip<T>(out: string, fill: Fill, check: (file: string) => Promise<T>): Promise<T> {
  const temporary = await mkdtemp(join(dirname(out), '.pack-'))
  try {
    const file = join(temporary, 'archive.zip')
    await write(file, fill)
    const checked = await check(file)
    await rename(file, out)
    return checked
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function write(file: string, fill: Fill): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  // The library says that a file could not be read, and leaves its output open forever.
  zip.on('error', (error: Error) => output.destroy(error))
  const ended = new AbortController()
  try {
    fill(zip, ended.signal)
    zip.end()
    // Flushed before it gets its name, or a power cut could leave the name with half of the bytes.
    await pipeline(output, createWriteStream(file, { flags: 'wx', mode: 0o644, flush: true }))
  } finally {
    ended.abort()
  }
}
