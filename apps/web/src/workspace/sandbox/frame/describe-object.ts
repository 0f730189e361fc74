import { type Budget, cut, isSpent } from './budget.ts'
import { errorText } from './error-text.ts'
import {
  apply,
  eachInMap,
  eachInSet,
  get,
  getOwnPropertyDescriptor,
  isArray,
  isOf,
  isoDate,
  isView,
  mapSize,
  nodeName,
  nodeType,
  objectPrototype,
  outerHtml,
  ownKeys,
  put,
  regExpFlags,
  regExpSource,
  setPrototypeOf,
  setSize,
  tagOf,
  typedLength,
} from './intrinsics.ts'
import { isError, isNode } from './kinds.ts'

/** The objects that contain what is being described. */
export interface Path {
  readonly value: object
  readonly outer: Path | null
  readonly depth: number
}
/** Describes what an object holds. */
type Describe = (value: unknown, budget: Budget, path: Path) => unknown

/** In an object `undefined` is left out, in a list it becomes null: so JSON does it. */
export const ABSENT = Symbol('absent')
const MOST_DEPTH = 32
const ELEMENT = 1

export function describeObject(
  value: object,
  budget: Budget,
  outer: Path | null,
  describe: Describe,
): unknown {
  for (let link = outer; link !== null; link = link.outer)
    if (link.value === value) return cut('[Circular]', budget)
  const path = { value, outer, depth: (outer?.depth ?? 0) + 1 }
  try {
    if (path.depth > MOST_DEPTH) return tooDeep(budget)
    return known(value, budget, path, describe) ?? own(value, budget, path, describe)
  } catch (error) {
    // A getter, a trap or a `toJSON` of the code.
    return cut(`[${errorText(error)}]`, budget)
  }
}

function tooDeep(budget: Budget): string {
  budget.isTruncated = true
  return cut('[Object]', budget)
}

/** Objects that have a customary text, or are lists. `undefined`: neither. */
function known(value: object, budget: Budget, path: Path, describe: Describe): unknown {
  if (isArray(value)) return listOf(value, value.length, budget, path, describe)
  if (isError(value)) return cut(errorText(value), budget)
  if (isNode(value)) return cut(nodeText(value), budget)
  if (isOf(isoDate, value)) return cut(isoDate(value), budget)
  if (isOf(mapSize, value)) {
    const { list, length } = entriesOf(value, budget)
    return listOf(list, length, budget, path, describe)
  }
  if (isOf(setSize, value)) {
    const { list, length } = membersOf(value, budget)
    return listOf(list, length, budget, path, describe)
  }
  if (isView(value) && isOf(typedLength, value))
    return listOf(value, typedLength(value) as number, budget, path, describe)
  const tag = tagOf(value)
  if (tag === '[object RegExp]' && isOf(regExpFlags, value))
    return cut(`/${String(regExpSource(value))}/${String(regExpFlags(value))}`, budget)
  return tag === '[object Promise]' ? cut('[Promise]', budget) : undefined
}

/** Everything else by its properties, or by what its `toJSON` gives. */
function own(value: object, budget: Budget, path: Path, describe: Describe): unknown {
  const toJson: unknown = get(value, 'toJSON')
  // One that all objects have says nothing of this one.
  if (typeof toJson === 'function' && toJson !== get(objectPrototype, 'toJSON'))
    return describe(apply(toJson as () => unknown, value, []), budget, path)
  const copy = { __proto__: null } as unknown as object
  const keys = ownKeys(value)
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index]
    if (typeof key !== 'string' || !isShown(value, key)) continue
    if (isSpent(budget)) break
    const described = describeProperty(value, key, budget, path, describe)
    if (described !== ABSENT) put(copy, cut(key, budget), described)
  }
  return copy
}

function listOf(list: object, length: number, budget: Budget, path: Path, describe: Describe): unknown {
  const copy: unknown[] = []
  for (let index = 0; index < length && !isSpent(budget); index += 1) {
    const described = describeProperty(list, `${index}`, budget, path, describe)
    put(copy, index, described === ABSENT ? null : described)
    budget.left -= 1
  }
  // As an array of the page it would have whatever `toJSON` code gave to all arrays.
  setPrototypeOf(copy, null)
  return copy
}

function describeProperty(
  value: object,
  key: string,
  budget: Budget,
  path: Path,
  describe: Describe,
): unknown {
  try {
    return describe(get(value, key), budget, path)
  } catch (error) {
    return cut(`[${errorText(error)}]`, budget)
  }
}

function isShown(value: object, key: string): boolean {
  return getOwnPropertyDescriptor(value, key)?.enumerable === true
}

/** Key and value of each entry, no more than could be shown. */
function entriesOf(map: unknown, budget: Budget): { list: unknown[]; length: number } {
  const list: unknown[] = []
  let length = 0
  eachInMap(map, (value, key) => {
    if (length > budget.left) return
    const pair: unknown[] = []
    put(pair, 0, key)
    put(pair, 1, value)
    put(list, length, pair)
    length += 1
  })
  return { list, length }
}

function membersOf(set: unknown, budget: Budget): { list: unknown[]; length: number } {
  const list: unknown[] = []
  let length = 0
  eachInSet(set, (value) => {
    if (length > budget.left) return
    put(list, length, value)
    length += 1
  })
  return { list, length }
}

function nodeText(node: object): string {
  return nodeType(node) === ELEMENT ? String(outerHtml(node)) : `[${String(nodeName(node))}]`
}
