import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'

/**
 * Replaces a file as a whole, so that a reader, or the next watchdog after a power cut, never sees half of it.
 * Synchronous, because a gateway whose pid is not written down yet would be a stranger to the next watchdog.
 */
export function replaceFile(path: string, content: unknown): void {
  const draft = `${path}.new`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

/** The parsed content; `undefined` when there is no such file. Throws when it cannot be read or is no JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
