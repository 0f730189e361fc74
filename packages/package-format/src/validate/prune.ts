/** How many entries of a long array or map are explained one by one. */
export const MAX_ENTRIES = 200

/** How deep the contract's own arrays and maps lie: package, author, contact. */
const OWN_DEPTH = 3
/** Maps of the contract: the objects whose every key is checked. */
const MAPS: ReadonlySet<string> = new Set(['resources', 'contact'])

/** The value with its long arrays and maps cut short: each bad entry is an error object of its own. */
export function pruneEntries(value: unknown, key = '', depth = 0): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES)
  if (typeof value !== 'object' || value === null || depth >= OWN_DEPTH) return value
  const entries = Object.entries(value)
  const kept = MAPS.has(key) ? entries.slice(0, MAX_ENTRIES) : entries
  return Object.fromEntries(kept.map(([name, field]) => [name, pruneEntries(field, name, depth + 1)]))
}
