/** How many objects and arrays may be nested. The contract needs 4; the rest is for keys that it does not know. */
export const MAX_DEPTH = 32

/** Deeper values would end whoever walks them recursively, such as `JSON.stringify` when the list is written again. */
export function isTooDeep(value: unknown, room: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (room === 0) return true
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, room - 1))
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    const field = fields[key]
    if (typeof field === 'object' && field !== null && isTooDeep(field, room - 1)) return true
  }
  return false
}
