import { type TObject, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { LayoutFault } from './fault.ts'
import { LAYOUT_LIMITS } from './limits.ts'
import { layoutOf, leafOf, splitOf, tabSchema } from './schemas.ts'
import { areNormalized } from './sizes.ts'

/** A key that says something to a reader, and nothing to a terminal or a page. */
const HARMLESS_KEY = /^[\w-]{1,40}$/
const NAMED_KEYS = 5

/** What is wrong with one object, field by field, not looking into what a field declares as unknown. */
function findShapeFaults(schema: TObject, value: unknown, path: string): LayoutFault[] {
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wordsForKey(key: string): string {
  return HARMLESS_KEY.test(key) ? `has the unknown key "${key}"` : 'has an unknown key'
}

function descriptionOf(field: object): string {
  return 'description' in field ? String(field.description) : 'of another shape'
}

const MOST_FAULTS = 100

const layoutFrame = layoutOf(Type.Unknown())
const leafFrame = leafOf(Type.Unknown())
const splitFrame = splitOf(Type.Unknown())

interface Walk {
  readonly faults: LayoutFault[]
  /** Where each id was first seen. */
  readonly ids: Map<string, string>
  leaves: number
  tabs: number
}

interface Spot {
  readonly path: string
  readonly depth: number
  readonly parentDirection?: unknown
}

/**
 * Everything that keeps a value of unknown origin from being a layout; nothing if it is one. Every way down ends in a
 * leaf or in a fault, and both are counted: however large or deep the value is, the walk ends early.
 */
export function checkLayout(value: unknown): LayoutFault[] {
  const walk: Walk = { faults: [], ids: new Map(), leaves: 0, tabs: 0 }
  report(walk, findShapeFaults(layoutFrame, value, ''))
  if (isObject(value) && Object.hasOwn(value, 'root'))
    checkNode(walk, value['root'], { path: '/root', depth: 1 })
  return walk.faults
}

function checkNode(walk: Walk, node: unknown, spot: Spot): void {
  const { path, depth } = spot
  if (isOver(walk)) return
  if (depth > LAYOUT_LIMITS.depth)
    return report(walk, [{ path, message: `is deeper than ${LAYOUT_LIMITS.depth} levels` }])
  if (isObject(node) && node['type'] === 'leaf') return checkLeaf(walk, node, spot)
  if (isObject(node) && node['type'] === 'split') return checkSplit(walk, node, spot)
  report(walk, [{ path, message: 'must be a split or a leaf' }])
}

function checkSplit(
  walk: Walk,
  split: Record<string, unknown>,
  { path, depth, parentDirection }: Spot,
): void {
  report(walk, findShapeFaults(splitFrame, split, path))
  const { id, direction, sizes, children } = split
  claimId(walk, id, path)
  if (direction !== undefined && direction === parentDirection)
    report(walk, [{ path: `${path}/direction`, message: 'must differ from that of the split around it' }])
  if (!Array.isArray(children)) return
  if (Array.isArray(sizes) && sizes.length !== children.length)
    report(walk, [
      { path: `${path}/sizes`, message: `has ${sizes.length} sizes for ${children.length} children` },
    ])
  else if (isListOfNumbers(sizes) && !areNormalized(sizes))
    report(walk, [{ path: `${path}/sizes`, message: 'must sum to 1, in steps of 0.0001' }])
  for (const [at, child] of children.slice(0, LAYOUT_LIMITS.leaves).entries())
    checkNode(walk, child, {
      path: `${path}/children/${at}`,
      depth: depth + 1,
      parentDirection: direction,
    })
}

function checkLeaf(walk: Walk, leaf: Record<string, unknown>, { path, depth }: Spot): void {
  walk.leaves += 1
  if (walk.leaves > LAYOUT_LIMITS.leaves)
    return report(walk, [{ path, message: `is one leaf more than the ${LAYOUT_LIMITS.leaves} allowed` }])
  report(walk, findShapeFaults(leafFrame, leaf, path))
  const { id, tabs, activeTabId } = leaf
  claimId(walk, id, path)
  if (!Array.isArray(tabs)) return
  if (tabs.length === 0 && depth > 1)
    report(walk, [{ path, message: 'has no tabs, which only the root may be without' }])
  checkActive(walk, tabs, activeTabId, `${path}/activeTabId`)
  for (const [at, tab] of tabs.entries()) {
    walk.tabs += 1
    // Told once, at the first that is too many.
    if (walk.tabs === LAYOUT_LIMITS.tabs + 1)
      report(walk, [
        { path: `${path}/tabs/${at}`, message: `is one tab more than the ${LAYOUT_LIMITS.tabs} allowed` },
      ])
    if (walk.tabs > LAYOUT_LIMITS.tabs || isOver(walk)) return
    report(walk, findShapeFaults(tabSchema, tab, `${path}/tabs/${at}`))
    claimId(walk, isObject(tab) ? tab['id'] : undefined, `${path}/tabs/${at}`)
  }
}

function checkActive(walk: Walk, tabs: readonly unknown[], activeTabId: unknown, path: string): void {
  if (tabs.length === 0 && typeof activeTabId === 'string')
    report(walk, [{ path, message: 'must be null without tabs' }])
  const isNamed = activeTabId === null || typeof activeTabId === 'string'
  if (tabs.length > 0 && isNamed && !hasTab(tabs, activeTabId))
    report(walk, [{ path, message: 'must be the id of a tab of the leaf' }])
}

function claimId(walk: Walk, id: unknown, path: string): void {
  if (typeof id !== 'string') return
  const first = walk.ids.get(id)
  if (first === undefined) walk.ids.set(id, path)
  else report(walk, [{ path: `${path}/id`, message: `must differ from that of ${first}` }])
}

function hasTab(tabs: readonly unknown[], id: unknown): boolean {
  return tabs.slice(0, LAYOUT_LIMITS.tabs).some((tab) => isObject(tab) && tab['id'] === id)
}

function isListOfNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number')
}

function isOver({ faults, leaves }: Walk): boolean {
  return faults.length >= MOST_FAULTS || leaves > LAYOUT_LIMITS.leaves
}

function report(walk: Walk, faults: readonly LayoutFault[]): void {
  walk.faults.push(...faults.slice(0, MOST_FAULTS - walk.faults.length))
}
