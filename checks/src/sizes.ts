import type { TextFile } from './rules.ts'
import type { Violation } from './workspace.ts'

const LONGEST = 500

/** A longer file holds more than one thing. */
export function checkSizes(files: readonly TextFile[]): Violation[] {
  return files
    .map(({ path, text }) => ({ path, count: text.split('\n').length - 1 }))
    .filter(({ count }) => count > LONGEST)
    .map(({ path, count }) => ({ file: path, message: `has ${count} lines, more than ${LONGEST}` }))
}
