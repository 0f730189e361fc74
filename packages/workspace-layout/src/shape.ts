import type { TObject, TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import type { LayoutFault } from './fault.ts'

/** A key that says something to a reader, and nothing to a terminal or a page. */
const HARMLESS_KEY = /^[\w-]{1,40}$/
const NAMED_KEYS = 5

/** What is wrong with one object, field by field, not looking into what a field declares as unknown. */
export function findShapeFaults(schema: TObject, value: unknown, path: string): LayoutFault[] {
  if (!isObject(value)) return [{ path, message: 'must be an object' }]
  const fields = Object.entries(schema.properties)
  const required = new Set(schema.required)
  const wrong = fields.flatMap(([key, field]): LayoutFault[] => {
    if (!Object.hasOwn(value, key)) return required.has(key) ? [{ path, message: `lacks "${key}"` }] : []
    return fits(field, value[key])
      ? []
      : [{ path: `${path}/${key}`, message: `must be ${descriptionOf(field)}` }]
  })
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties, key))
  return [...wrong, ...unknown.slice(0, NAMED_KEYS).map((key) => ({ path, message: wordsForKey(key) }))]
}

/** The library looks at every item before it counts them: a list without end would take as long as it liked. */
function fits(field: TSchema, value: unknown): boolean {
  const isTooLong = Array.isArray(value) && 'maxItems' in field && value.length > Number(field.maxItems)
  return !isTooLong && Check(field, value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wordsForKey(key: string): string {
  return HARMLESS_KEY.test(key) ? `has the unknown key "${key}"` : 'has an unknown key'
}

function descriptionOf(field: object): string {
  return 'description' in field ? String(field.description) : 'of another shape'
}
