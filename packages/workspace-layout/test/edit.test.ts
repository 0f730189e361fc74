import { array, assert, double, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { applyChange, checkLayout, findTab, type LayoutChange } from '../src/index.ts'
import { areNormalized, normalizeSizes } from '../src/sizes.ts'
import { change, redraw, refusalOf } from './changing.ts'
import { draw, id, NO_SINGLETONS, show } from './drawing.ts'

const layout = draw('R:row(0.5 A[x* y], 0.5 B[z*])')

test('[D-24] a tab becomes active in its leaf, and an active one stays as it is', () => {
  const activate = (name: string): LayoutChange => ({ type: 'activateTab', tabId: id(name) })
  expect(show(change(layout, activate('y')))).toBe('R:row(0.5 A[x y*], 0.5 B[z*])')
  expect(change(layout, activate('x'))).toBe(layout)
  expect(refusalOf(layout, activate('A'))).toBe('no_such_tab')
})

test('[D-25] a tab gets a title, and an icon that stays until another comes', () => {
  const retitle = (title: string, icon?: string): LayoutChange => ({
    type: 'retitleTab',
    tabId: id('y'),
    title,
    ...(icon !== undefined && { icon }),
  })
  const named = change(layout, retitle('Motor', 'gear'))
  expect(findTab(named, id('y'))?.tab).toEqual({
    id: id('y'),
    panel: `ada/${id('y')}`,
    title: 'Motor',
    icon: 'gear',
  })
  expect(findTab(change(named, retitle('Left motor')), id('y'))?.tab).toMatchObject({
    title: 'Left motor',
    icon: 'gear',
  })
  expect(change(named, retitle('Motor', 'gear'))).toBe(named)
  expect(change(named, retitle('Motor'))).toBe(named)
  expect(show(named)).toBe(show(layout))
  expect(refusalOf(draw('A[x*]'), retitle('Motor'))).toBe('no_such_tab')
})

const resize = (...sizes: number[]): LayoutChange => ({ type: 'resizeSplit', splitId: id('R'), sizes })

test('[D-26] sizes in any unit become fractions', () => {
  expect(redraw('R:row(0.5 A[x*], 0.5 B[y*])', resize(300, 100))).toBe('R:row(0.75 A[x*], 0.25 B[y*])')
  expect(change(layout, resize(7, 7))).toBe(layout)
  expect(redraw('R:row(0.5 A[x*], 0.3 B[y*], 0.2 C[z*])', resize(1, 1, 1))).toBe(
    'R:row(0.3334 A[x*], 0.3333 B[y*], 0.3333 C[z*])',
  )
  expect(redraw('R:row(0.5 A[x*], 0.5 B[y*])', resize(1e-9, 1e6))).toBe('R:row(0.0001 A[x*], 0.9999 B[y*])')
})

test.each([
  [[1]],
  [[1, 1, 1]],
  [[1, 0]],
  [[1, -1]],
  [[1, Number.NaN]],
  [[1, Number.POSITIVE_INFINITY]],
  [[]],
])('[D-26] sizes %j for two children are refused', (sizes) => {
  expect(refusalOf(layout, resize(...sizes))).toBe('sizes_mismatch')
})

test('[D-26] a leaf has no sizes, and neither has an unknown split', () => {
  expect(refusalOf(layout, { ...resize(1, 1), splitId: id('A') } as LayoutChange)).toBe('no_such_split')
  expect(refusalOf(layout, { ...resize(1, 1), splitId: id('Q') } as LayoutChange)).toBe('no_such_split')
})

test('[D-4] any positive sizes become steps that sum to 1, keep their order, and stay as they are from then on', () => {
  const some = array(double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 65 })
  const extremes = array(integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 65 }).map((bits) =>
    bits.map((bit) => (bit === 0 ? 1e-6 : 1e6)),
  )
  for (const sizes of [some, extremes])
    assert(
      property(sizes, (list) => {
        const normal = normalizeSizes(list)
        expect(areNormalized(normal)).toBe(true)
        expect(Math.min(...normal)).toBeGreaterThan(0)
        expect(normal.reduce((sum, size) => sum + size, 0)).toBeCloseTo(1, 9)
        expect(normalizeSizes(normal)).toEqual(normal)
      }),
    )
})

test('[D-27] a replacement is taken as it is, if it is a layout', () => {
  const next = draw('Q:column(0.25 C[v*], 0.75 D[w*])')
  expect(change(layout, { type: 'replace', layout: next })).toBe(next)
})

test('[D-27] a replacement with faults is refused, and they are named', () => {
  const next = draw('Q:column(0.25 C[v*], 0.7 D[w*])')
  const { refused } = applyChange(layout, { type: 'replace', layout: next }, NO_SINGLETONS)
  expect(refused).toEqual({
    code: 'invalid_layout',
    message: 'The new layout breaks the rules of layouts',
    faults: checkLayout(next),
  })
  expect(refused?.faults).toEqual([{ path: '/root/sizes', message: 'must sum to 1, in steps of 0.0001' }])
})
