import { MAX_DEPTH } from './depth.ts'

/** Up to here comparing each with each is faster than writing keys. */
const FEW = 16

/** The positions of two equal items, the second being the first that repeats one; undefined when all differ. */
export function findRepeated(items: readonly unknown[]): readonly [number, number] | undefined {
  return items.length <= FEW ? findAmongFew(items) : findByKey(items)
}

function findAmongFew(items: readonly unknown[]): readonly [number, number] | undefined {
  for (let later = 1; later < items.length; later += 1) {
    const item = items[later]
    for (let earlier = 0; earlier < later; earlier += 1)
      if (!isOtherVersion(items[earlier], item) && isEqual(items[earlier], item, 0)) return [earlier, later]
  }
  return undefined
}

/** Most arrays hold versions, and most versions differ in their text: a look that saves the long one. */
function isOtherVersion(a: unknown, b: unknown): boolean {
  const left = (a as Item)?.version
  const right = (b as Item)?.version
  return typeof left === 'string' && typeof right === 'string' && left !== right
}

type Item = { readonly version?: unknown } | null | undefined

/** Comparing each with each would let a list of 100,000 versions hold a server for minutes. */
function findByKey(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const key = keyOf(item, 0)
    const earlier = seen.get(key)
    if (earlier !== undefined) return [earlier, index]
    seen.set(key, index)
  }
  return undefined
}

/** Equal as JSON. What is nested too deeply counts as equal: it is refused in any case, and the stack is safe. */
function isEqual(a: unknown, b: unknown, depth: number): boolean {
  if (a === b || depth > MAX_DEPTH) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = a as Readonly<Record<string, unknown>>
  const right = b as Readonly<Record<string, unknown>>
  let count = 0
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !isEqual(left[key], right[key], depth + 1)) return false
    count += 1
  }
  return count === Object.keys(right).length
}

/** JSON with sorted keys, so that equal items have equal keys. */
function keyOf(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (depth > MAX_DEPTH) return 'too deep'
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, depth + 1)).join(',')}]`
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item, depth + 1)}`).join(',')}}`
}
