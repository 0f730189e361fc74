/** Above every version of a tool, whose parts have two digits. */
export const OPEN_END = 999

/** Three numbers, for comparison in the database; what the text leaves out is `missing`. */
export function toolKey(version: string, missing: number): number[] {
  const parts = version.split('.').map(Number)
  return [0, 1, 2].map((index) => parts[index] ?? missing)
}
