import { anything, assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { checkLayout, LAYOUT_LIMITS } from '../src/index.ts'
import { layouts } from './arbitraries.ts'
import { draw, id, tab } from './drawing.ts'

/** Seconds that no honest walk needs on any machine, and an exponential one always does. */
const PATIENCE_MS = 20_000

/** How many faults a value has, provided that it did not take forever to find them. */
function countInTime(value: unknown): number {
  const started = performance.now()
  const { length } = checkLayout(value)
  if (performance.now() - started > PATIENCE_MS) throw new Error('it took too long')
  return length
}

const isFaulty = (value: unknown) => {
  const count = countInTime(value)
  return count > 0 && count <= 100
}

const split = (children: unknown, number = 1) => ({
  type: 'split',
  id: `30000000-0000-4000-8000-${number.toString().padStart(12, '0')}`,
  direction: number % 2 === 0 ? 'row' : 'column',
  sizes: [0.5, 0.5],
  children,
})
const leaf = { type: 'leaf', id: id('A'), tabs: [], activeTabId: null }

test('[D-9] whatever is no layout has faults, and nothing throws', () => {
  assert(property(anything(), isFaulty))
  assert(property(jsonValue(), (root) => isFaulty({ root })))
  for (const value of [
    undefined,
    null,
    7,
    'layout',
    [],
    {},
    { root: [] },
    JSON.parse('{"__proto__":{"root":1}}'),
  ])
    expect([value, isFaulty(value)]).toEqual([value, true])
})

test('[D-9] inherited keys are not taken for own ones', () => {
  expect(checkLayout(Object.create(draw('A[x*]')))).toContainEqual({ path: '', message: 'lacks "root"' })
  const text = JSON.stringify(draw('A[x*]')).replace('"activeTabId"', '"__proto__":{},"activeTabId"')
  expect(checkLayout(JSON.parse(text))).toEqual([
    { path: '/root', message: 'has the unknown key "__proto__"' },
  ])
})

test('[D-9] any part of a layout replaced by anything is survived', () => {
  assert(
    property(layouts, anything(), (layout, value) => {
      const spoilt: unknown[] = [{ root: { ...layout.root, tabs: value } }]
      if (layout.root.type === 'split')
        spoilt.push({ root: { ...layout.root, children: [value, ...layout.root.children] } })
      for (const one of spoilt) expect(checkLayout(one).length).toBeLessThanOrEqual(100)
    }),
  )
})

test('[D-9] 100 000 levels exhaust nobody', () => {
  let deep: unknown = leaf
  for (let level = 0; level < 100_000; level += 1) deep = split([deep, deep], level)
  expect(isFaulty({ root: deep })).toBe(true)
})

test('[D-9] a cycle ends', () => {
  const children: unknown[] = []
  const knot = split(children)
  children.push(...Array.from({ length: LAYOUT_LIMITS.leaves }, () => knot))
  expect(isFaulty({ root: knot })).toBe(true)
})

test('[D-9] 100 000 children, tabs, sizes or keys, and a title without end', () => {
  const many = Array.from({ length: 100_000 }, () => leaf)
  expect(isFaulty({ root: split(many) })).toBe(true)
  expect(isFaulty({ root: { ...split([leaf, leaf]), sizes: many.map(() => 0.5) } })).toBe(true)
  expect(isFaulty({ root: { ...leaf, tabs: many } })).toBe(true)
  const manyKeys = Object.fromEntries(many.map((_, at) => [`key${at}`, at]))
  expect(isFaulty({ root: { ...leaf, ...manyKeys } })).toBe(true)
  const title = 'a '.repeat(1_000_000)
  expect(isFaulty({ root: { ...leaf, tabs: [tab('x', { title })], activeTabId: id('x') } })).toBe(true)
  expect(isFaulty({ root: { ...leaf, id: title } })).toBe(true)
})
