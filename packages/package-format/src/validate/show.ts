const LONGEST = 60

/** A value for a message: short, and with nothing in it that a terminal or a page would act on. */
export function show(value: unknown): string {
  if (typeof value === 'string') return showText(value)
  if (Array.isArray(value))
    return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** What is left when a cut goes through a character outside the basic plane. */
const HALF_PAIR = /[\ud800-\udbff]$/

/** Control characters, and those that turn the reading direction or do not show, are written as numbers. */
function showText(text: string): string {
  const head = text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(HALF_PAIR, '')
  const safe = JSON.stringify(head).replaceAll(
    /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
  return text.length <= LONGEST ? safe : `${safe.slice(0, -1)}…"`
}

/** `an object`, `a number`: what kind of JSON value it is. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The length as JSON Schema counts it: a character outside the basic plane is one. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
