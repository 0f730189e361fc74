import type { SourceFile, Violation } from './workspace.ts'

const LONGEST = 500
const MEDIAN = 80

/** Small files are rooms that one can hold in mind; the numbers are the architecture's. */
export function checkSizes(files: readonly SourceFile[]): Violation[] {
  const lines = files.map(({ path, text }) => ({ path, count: text.split('\n').length - 1 }))
  const median = lines.map(({ count }) => count).toSorted((a, b) => a - b)[Math.floor(lines.length / 2)] ?? 0
  return [
    ...lines
      .filter(({ count }) => count > LONGEST)
      .map(({ path, count }) => ({ file: path, message: `has ${count} lines, more than ${LONGEST}` })),
    ...(median > MEDIAN
      ? [{ file: '.', message: `the median source file has ${median} lines, more than ${MEDIAN}` }]
      : []),
  ]
}
