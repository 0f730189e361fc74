/**
 * Canonical JSON: what signatures are made of. It is JSON itself as long as no string has control characters, which
 * neither target paths nor names of metadata have.
 */
export function spellCanonical(value: unknown): string {
  if (typeof value === 'string') return spellString(value)
  if (Array.isArray(value)) return `[${value.map(spellCanonical).join(',')}]`
  if (typeof value === 'object' && value !== null)
    return spellObject(value as Readonly<Record<string, unknown>>)
  if (typeof value === 'boolean' || value === null || Number.isSafeInteger(value))
    return JSON.stringify(value)
  throw new TypeError(`Signed metadata cannot hold a ${typeof value} that is no whole number`)
}

function spellObject(value: Readonly<Record<string, unknown>>): string {
  const entries: string[] = []
  for (const key of Object.keys(value).toSorted()) {
    if (value[key] !== undefined) entries.push(`${spellString(key)}:${spellCanonical(value[key])}`)
  }
  return `{${entries.join(',')}}`
}

const ESCAPED = /["\\]/
const ALL_ESCAPED = /["\\]/g

function spellString(text: string): string {
  return ESCAPED.test(text) ? `"${text.replaceAll(ALL_ESCAPED, '\\$&')}"` : `"${text}"`
}
