import { assert, pre, property } from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, type LayoutChange, type LayoutRules, type Tab } from '../src/index.ts'
import { changeFrom, changeSeeds, layoutRules, layouts } from './arbitraries.ts'
import { change, refusalOf } from './changing.ts'
import { draw, id, tab } from './drawing.ts'

const layout = draw('R:row(0.5 A[x* y], 0.5 B[z*])')
const add = (added: Tab): LayoutChange => ({ type: 'addTab', tab: added, at: { leafId: id('A') } })

test('[D-18] a tab that is there with the same content changes nothing, wherever it is', () => {
  expect(change(layout, add(tab('z')))).toBe(layout)
  expect(change(layout, { type: 'addTab', tab: tab('x'), at: { leafId: id('gone') } })).toBe(layout)
})

test('[D-18] a tab that is there with other content is refused', () => {
  expect(refusalOf(layout, add(tab('z', { title: 'Other' })))).toBe('id_taken')
  expect(refusalOf(layout, add(tab('z', { icon: 'cube' })))).toBe('id_taken')
  expect(refusalOf(layout, add(tab('z', { panel: `ada/${id('q')}` })))).toBe('id_taken')
})

test('[D-18] a tab with the id of a leaf or split is refused', () => {
  expect(refusalOf(layout, add(tab('B')))).toBe('id_taken')
  expect(refusalOf(layout, add(tab('R')))).toBe('id_taken')
})

test('[D-18] whatever was added can be added again', () => {
  assert(
    property(layouts, changeSeeds, (before, seed) => {
      const made = changeFrom({ ...seed, kind: 'addTab' }, before)
      const { layout: once } = applyChange(before, made, layoutRules)
      pre(once !== undefined)
      expect(applyChange(once, made, layoutRules).layout).toBe(once)
    }),
  )
})

const VIEWER = `ada/${id('view')}`
const rules: LayoutRules = { isSingleton: (panel) => panel === VIEWER }

test('[D-19] a singleton is added once', () => {
  const first = change(layout, add(tab('v', { panel: VIEWER })), rules)
  expect(refusalOf(first, add(tab('w', { panel: VIEWER })), rules)).toBe('singleton_exists')
  expect(change(first, add(tab('v', { panel: VIEWER })), rules)).toBe(first)
  const without = change(first, { type: 'removeTab', tabId: id('v') }, rules)
  expect(refusalOf(without, add(tab('w', { panel: VIEWER })), rules)).toBeUndefined()
})

test('[D-19] other panels are added as often as one likes', () => {
  expect(refusalOf(layout, add(tab('w', { panel: tab('x').panel })), rules)).toBeUndefined()
})

test('[D-19] a replacement with two of a singleton is refused', () => {
  const one = change(layout, add(tab('v', { panel: VIEWER })), rules)
  const two = change(one, add(tab('w', { panel: VIEWER })))
  expect(refusalOf(layout, { type: 'replace', layout: one }, rules)).toBeUndefined()
  expect(refusalOf(layout, { type: 'replace', layout: two }, rules)).toBe('singleton_exists')
})
