import { assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLayout, emptyLayout, LAYOUT_LIMITS } from '../src/index.ts'
import { layouts } from './arbitraries.ts'
import { draw, id } from './drawing.ts'

type Json = { [key: string]: Json } & { [index: number]: Json } & Json[]

/** A valid layout with one thing made wrong; and the faults, as one text each. */
function faultsAfter(spoil: (root: Json) => void): string[] {
  const layout = structuredClone(draw('R:row(0.5 A[x* y], 0.5 C:column(0.25 B[z*], 0.75 D[w*]))'))
  spoil(layout.root as unknown as Json)
  return checkLayout(layout).map(({ path, message }) => `${path} ${message}`)
}

const put = (target: unknown, values: object) => {
  Object.assign(target as object, values)
}

test('[D-8] generated layouts have no fault', () => {
  assert(
    property(layouts, (layout) => {
      expect(checkLayout(layout)).toEqual([])
    }),
  )
  expect(faultsAfter(() => {})).toEqual([])
  expect(checkLayout(emptyLayout(id('A')))).toEqual([])
})

const UUID_WORDS = 'must be a UUID in lower case'

describe('each thing that can be wrong is named at its place', () => {
  test.each<[name: string, spoil: (root: Json) => void, ...faults: string[]]>([
    ['[D-1] no split and no leaf', (r) => put(r, { type: 'tree' }), '/root must be a split or a leaf'],
    [
      '[D-1] a child that is null',
      (r) => put(r['children'], { 0: null }),
      '/root/children/0 must be a split or a leaf',
    ],
    ['[D-1] an unknown key of a split', (r) => put(r, { extra: 1 }), '/root has the unknown key "extra"'],
    [
      '[D-1] an unknown key of a leaf',
      (r) => put(r['children']?.[0], { hidden: true }),
      '/root/children/0 has the unknown key "hidden"',
    ],
    [
      '[D-1] an unknown key of a tab',
      (r) => put(r['children']?.[0]?.['tabs']?.[1], { closable: true }),
      '/root/children/0/tabs/1 has the unknown key "closable"',
    ],
    ['[D-1] a missing key', (r) => delete r['children']?.[0]?.['tabs'], '/root/children/0 lacks "tabs"'],
    [
      '[D-1] a tab that is a text',
      (r) => put(r['children']?.[0]?.['tabs'], { 1: 'y' }),
      '/root/children/0/tabs/1 must be an object',
    ],
    [
      '[D-2] an id in upper case',
      (r) => put(r, { id: id('R').toUpperCase().replace('5', 'A') }),
      `/root/id ${UUID_WORDS}`,
    ],
    [
      '[D-2] a tab with the id of its leaf',
      (r) => put(r['children']?.[0]?.['tabs']?.[1], { id: id('A') }),
      '/root/children/0/tabs/1/id must differ from that of /root/children/0',
    ],
    [
      '[D-2] a leaf with the id of the root',
      (r) => put(r['children']?.[0], { id: id('R') }),
      '/root/children/0/id must differ from that of /root',
    ],
    [
      '[D-2] one tab in two leaves',
      (r) =>
        put(r['children']?.[1]?.['children']?.[0], {
          tabs: r['children']?.[0]?.['tabs'],
          activeTabId: id('x'),
        }),
      '/root/children/1/children/0/tabs/0/id must differ from that of /root/children/0/tabs/0',
      '/root/children/1/children/0/tabs/1/id must differ from that of /root/children/0/tabs/1',
    ],
    [
      '[D-3] a split with one child',
      (r) => put(r['children']?.[1], { children: [r['children']?.[1]?.['children']?.[0]], sizes: [1] }),
      '/root/children/1/sizes must be a list of fractions between 0 and 1, one for each child',
      '/root/children/1/children must be a list of 2 to 64 splits and leaves',
    ],
    [
      '[D-3] a direction inside itself',
      (r) => put(r['children']?.[1], { direction: 'row' }),
      '/root/children/1/direction must differ from that of the split around it',
    ],
    [
      '[D-3] an unknown direction',
      (r) => put(r, { direction: 'diagonal' }),
      '/root/direction must be "row" or "column"',
    ],
    [
      '[D-4] sizes that do not sum to 1',
      (r) => put(r, { sizes: [0.5, 0.4] }),
      '/root/sizes must sum to 1, in steps of 0.0001',
    ],
    [
      '[D-4] sizes between the steps',
      (r) => put(r, { sizes: [0.33333, 0.66667] }),
      '/root/sizes must sum to 1, in steps of 0.0001',
    ],
    [
      '[D-4] a size of 0',
      (r) => put(r, { sizes: [0, 1] }),
      '/root/sizes must be a list of fractions between 0 and 1, one for each child',
    ],
    [
      '[D-4] one size too many',
      (r) => put(r, { sizes: [0.5, 0.25, 0.25] }),
      '/root/sizes has 3 sizes for 2 children',
    ],
    [
      '[D-5] an empty leaf inside',
      (r) => put(r['children']?.[0], { tabs: [], activeTabId: null }),
      '/root/children/0 has no tabs, which only the root may be without',
    ],
    [
      '[D-5] no active tab',
      (r) => put(r['children']?.[0], { activeTabId: null }),
      '/root/children/0/activeTabId must be the id of a tab of the leaf',
    ],
    [
      '[D-5] an active tab of another leaf',
      (r) => put(r['children']?.[0], { activeTabId: id('z') }),
      '/root/children/0/activeTabId must be the id of a tab of the leaf',
    ],
    [
      '[D-6] a panel without an owner',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { panel: id('x') }),
      '/root/children/0/tabs/0/panel must be a panel of the catalog, <owner>/<panel_uuid>',
    ],
    [
      '[D-6] a panel of an owner with 40 letters',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { panel: `${'a'.repeat(40)}/${id('x')}` }),
      '/root/children/0/tabs/0/panel must be a panel of the catalog, <owner>/<panel_uuid>',
    ],
    [
      '[D-6] an empty title',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { title: '' }),
      '/root/children/0/tabs/0/title must be 1 to 100 characters that show, with single blanks between them',
    ],
    [
      '[D-6] a title that turns the reading direction',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { title: 'a\u202eb' }),
      '/root/children/0/tabs/0/title must be 1 to 100 characters that show, with single blanks between them',
    ],
    [
      '[D-6] a title of 101 characters',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { title: '🛠'.repeat(101) }),
      '/root/children/0/tabs/0/title must be 1 to 100 characters that show, with single blanks between them',
    ],
    [
      '[D-6] an icon with a dot',
      (r) => put(r['children']?.[0]?.['tabs']?.[0], { icon: 'cube.svg' }),
      '/root/children/0/tabs/0/icon must be 1 to 40 lower-case letters, digits and hyphens',
    ],
  ])('%s', (_, spoil, ...faults) => {
    expect(faultsAfter(spoil)).toEqual(faults)
  })
})

test('[D-6] the longest of everything is allowed', () => {
  const content = { panel: `${'a'.repeat(39)}/${id('x')}`, title: '🛠'.repeat(100), icon: 'z'.repeat(40) }
  expect(faultsAfter((root) => put(root['children']?.[0]?.['tabs']?.[0], content))).toEqual([])
})

test('[D-5] an empty root has no active tab', () => {
  const layout = { root: { type: 'leaf', id: id('A'), tabs: [], activeTabId: id('x') } }
  expect(checkLayout(layout)).toEqual([{ path: '/root/activeTabId', message: 'must be null without tabs' }])
})

const leafWith = (number: number, tabCount: number) => {
  const uuid = (kind: number, n: number) =>
    `${kind}0000000-0000-4000-8000-${(number * 1000 + n).toString().padStart(12, '0')}`
  const tabs = Array.from({ length: tabCount }, (_, at) => ({
    id: uuid(1, at),
    panel: `ada/${uuid(1, at)}`,
    title: 'Tab',
  }))
  return { type: 'leaf', id: uuid(2, 0), tabs, activeTabId: tabs[0]?.id ?? null }
}

/** Leaves in a row whose sizes are right for any number of them. */
const rowOf = (children: readonly unknown[]) => ({
  root: {
    type: 'split',
    id: id('R'),
    direction: 'row',
    sizes: children.map((_, at) => (at === 0 ? (10_001 - children.length) / 10_000 : 0.0001)),
    children,
  },
})

test('[D-7] 64 leaves and 256 tabs are allowed, one more is not', () => {
  const four = Array.from({ length: LAYOUT_LIMITS.leaves }, (_, at) => leafWith(at, 4))
  expect(checkLayout(rowOf(four))).toEqual([])
  expect(checkLayout(rowOf(four.with(9, leafWith(9, 5))))).toEqual([
    { path: '/root/children/63/tabs/3', message: 'is one tab more than the 256 allowed' },
  ])
  const column = { ...rowOf([leafWith(100, 1), leafWith(101, 1)]).root, id: id('C'), direction: 'column' }
  expect(checkLayout(rowOf(four.map((_, at) => (at === 5 ? column : leafWith(at, 1)))))).toEqual([
    { path: '/root/children/63', message: 'is one leaf more than the 64 allowed' },
  ])
  expect(checkLayout({ root: leafWith(1, 257) })).toContainEqual({
    path: '/root/tabs',
    message: 'must be a list of at most 256 tabs',
  })
})

test('[D-7] 12 nodes from the root to a leaf are allowed, 13 are not', () => {
  const nested = (depth: number, level = 1): unknown =>
    level === depth
      ? leafWith(level, 1)
      : {
          type: 'split',
          id: `30000000-0000-4000-8000-${level.toString().padStart(12, '0')}`,
          direction: level % 2 === 0 ? 'row' : 'column',
          sizes: [0.5, 0.5],
          children: [leafWith(level, 1), nested(depth, level + 1)],
        }
  expect(checkLayout({ root: nested(12) })).toEqual([])
  const way = '/children/1'.repeat(12)
  expect(checkLayout({ root: nested(13) }).map(({ path }) => path)).toEqual([
    `/root${'/children/1'.repeat(11)}/children/0`,
    `/root${way}`,
  ])
})

test('[D-8] several faults are named at once', () => {
  const faults = faultsAfter((root) => {
    put(root, { sizes: [0.1, 0.1], id: 'R' })
    put(root['children']?.[0]?.['tabs']?.[0], { title: ' ', panel: 3 })
  })
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    '/root/id',
    '/root/sizes',
    '/root/children/0/tabs/0/panel',
    '/root/children/0/tabs/0/title',
  ])
})

test('[D-8] nothing of the value is repeated but plain keys', () => {
  const hostile = '\u001b[31m<script>'
  const faults = faultsAfter((root) => put(root, { [hostile]: 1, id: hostile, direction: hostile }))
  expect(faults).toContain('/root has an unknown key')
  expect(faults.join()).not.toContain('script')
})

test('[D-8] five unknown keys of an object are named, and a hundred faults', () => {
  const keys = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, at]))
  expect(faultsAfter((root) => put(root, keys))).toHaveLength(5)
  const children = Array.from({ length: 64 }, () => ({ type: 'leaf' }))
  expect(checkLayout(rowOf(children))).toHaveLength(100)
})
