import { closeSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { stripHidden } from '@patchbay/primitives/text'

const MOST_BYTES = 4_096
const MOST_LINES = 20
const FILE_CAP_BYTES = 1024 * 1024

/** The end of a file as lines; nothing when there is no such file. */
export function readLastLines(path: string): string[] {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const length = Math.min(size, MOST_BYTES)
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, size - length)
      const lines = bytes.toString('utf8').split('\n')
      return (
        lines
          // Escape sequences would act on the terminal of whoever reads the status.
          .map((line) => stripHidden(stripVTControlCharacters(line)).trimEnd())
          .filter((line) => line !== '')
          .slice(-MOST_LINES)
      )
    } finally {
      closeSync(file)
    }
  } catch {
    return []
  }
}

/** A gateway that complains without end must not fill the disk. It appends, so what it writes next begins the file. */
export function emptyWhenTooLong(path: string): void {
  try {
    if (statSync(path).size > FILE_CAP_BYTES) truncateSync(path, 0)
  } catch {
    // No file, or a disk that fails: the gateway does not depend on it.
  }
}
