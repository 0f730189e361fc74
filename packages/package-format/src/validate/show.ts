import { quote } from '@patchbay/primitives/text'

const LONGEST = 60

/** A value for a message: short, and with nothing in it that a terminal or a page would act on. */
export function show(value: unknown): string {
  if (typeof value === 'string') return quote(value, LONGEST)
  if (Array.isArray(value))
    return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
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
