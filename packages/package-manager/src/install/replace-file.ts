import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder, PUBLISHED, writeFlushed } from '../durable-file.ts'
import type { Step } from './workplace.ts'

/** Readers see the old text or the new one, also after a power cut. Needs the lock: the name in between is known. */
export async function replaceFile(path: string, text: string, step: Step): Promise<void> {
  const temporary = `${path}.new`
  await writeFlushed(temporary, text, 'w', PUBLISHED.file)
  await step('file written')
  await rename(temporary, path)
  await step('file renamed')
  await flushFolder(dirname(path))
}
