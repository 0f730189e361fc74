import { type Arbitrary, array, constantFrom, nat, tuple } from 'fast-check'

export interface Mutation {
  readonly place: number
  readonly change: Change
}

type Json = Record<string, unknown> | unknown[]
type Change = (holder: Json, key: string) => void

const set =
  (value: unknown): Change =>
  (holder, key) =>
    void ((holder as Record<string, unknown>)[key] = structuredClone(value))

const get = (holder: Json, key: string): unknown => (holder as Record<string, unknown>)[key]

/** Changes a text, and leaves all else. */
const edit =
  (change: (text: string) => string): Change =>
  (holder, key) => {
    const value = get(holder, key)
    if (typeof value === 'string') set(change(value))(holder, key)
  }

const remove: Change = (holder, key) =>
  void (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key])

const repeat: Change = (holder, key) => {
  const copy = structuredClone(get(holder, key))
  const isPlain = typeof copy === 'object' && copy !== null && !Array.isArray(copy)
  // The same fields in another order are still the same item.
  const reordered = isPlain ? Object.fromEntries(Object.entries(copy).toReversed()) : copy
  if (Array.isArray(holder)) holder.push(reordered)
  else holder[`${key}x`] = reordered
}

const rename: Change = (holder, key) => {
  if (Array.isArray(holder)) return
  const renamed = key.startsWith('kicad') ? key.replace('kicad', 'tool') : key.toUpperCase()
  holder[renamed] = holder[key]
  delete holder[key]
}

/** What stands at the edges of the contract, for each of its kinds of field. */
const EDGES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 60,
  1e300,
  '',
  [],
  {},
  'a',
  'ab',
  'x'.repeat(50),
  'x'.repeat(51),
  '𝄞'.repeat(200),
  '𝄞'.repeat(201),
  'x'.repeat(500),
  'x'.repeat(501),
  'x'.repeat(5001),
  'MIT',
  'mit',
  '1.0',
  '1.0.0.0',
  '٣',
  '99.99.99',
  '100',
  'f'.repeat(64),
  'F'.repeat(64),
  'stable',
  'linux',
  ['linux'],
  ['linux', 'linux'],
  ['ab', 'AB'],
  { ab: 'x' },
  { a: 'x' },
  { ab: 5 },
  { 'A b': '' },
  'http://ab',
  'http://a',
  'http://a b',
  'http://.a',
  'http:///x',
  'https://a\u2028b',
  'file:///x',
  'file:///',
  'file://c:x',
  'file:///\0',
  'javascript:x//file:///y',
  ' https://ab',
  'see https://ab',
]

const EDITS: readonly Change[] = [
  edit((text) => `${text} `),
  edit((text) => `${text}\n`),
  edit((text) => ` ${text}`),
  edit((text) => text.toUpperCase()),
  edit((text) => text.slice(1)),
  edit((text) => text.slice(0, -1)),
  edit((text) => text + text),
  edit((text) => `${text}.0`),
]

/** One to three changes at any places of a document. */
export const mutations: Arbitrary<readonly Mutation[]> = array(
  tuple(
    nat(),
    constantFrom<Change>(...EDGES.map(set), ...EDITS, ...EDITS, remove, remove, repeat, repeat, rename),
  ).map(([place, change]) => ({ place, change })),
  { minLength: 1, maxLength: 3 },
)

/** Any JSON document, changed. */
export function mutate(value: unknown, changes: readonly Mutation[]): unknown {
  const root = { document: structuredClone(value) }
  for (const { place, change } of changes) {
    const places = placesIn(root)
    const [holder, key] = places[place % places.length] ?? [root, 'document']
    change(holder, key)
  }
  return root.document
}

function placesIn(holder: Json): (readonly [Json, string])[] {
  return Object.entries(holder).flatMap(([key, value]: [string, unknown]) => [
    [holder, key] as const,
    ...(typeof value === 'object' && value !== null ? placesIn(value as Json) : []),
  ])
}
