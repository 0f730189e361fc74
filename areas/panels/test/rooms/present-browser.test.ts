import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { actingOf, inOrder, type PresentBrowser, readMember } from '../../src/rooms/present-browser.ts'

function present(given: Partial<PresentBrowser>): PresentBrowser {
  return {
    browserId: 'b',
    node: 'n',
    isVisible: true,
    isSharing: false,
    mayAct: true,
    focusedAt: 0,
    readyTabs: [],
    connection: 1,
    openedAt: 0,
    ...given,
  }
}

const some = fc.record({
  browserId: fc.constantFrom('a', 'b', 'c', 'd'),
  node: fc.constantFrom('n1', 'n2'),
  isVisible: fc.boolean(),
  isSharing: fc.boolean(),
  mayAct: fc.boolean(),
  focusedAt: fc.integer({ min: 0, max: 3 }),
  readyTabs: fc.constant<readonly string[]>([]),
  connection: fc.integer({ min: 1, max: 1_000_000 }),
  openedAt: fc.integer({ min: 0, max: 3 }),
})

test('[D-118] visible before hidden, then the last focus, then the lowest id', () => {
  const seen = present({ browserId: 'seen', focusedAt: 1 })
  const focused = present({ browserId: 'focused', focusedAt: 2 })
  const hidden = present({ browserId: 'hidden', isVisible: false, focusedAt: 9 })
  const reader = present({ browserId: 'reader', mayAct: false, focusedAt: 9 })
  const twin = present({ browserId: 'a twin', focusedAt: 2 })
  const order = inOrder([hidden, reader, seen, focused, twin]).map(({ browserId }) => browserId)
  expect(order).toEqual(['a twin', 'focused', 'seen', 'hidden', 'reader'])
  expect(actingOf(inOrder([reader]))).toBeUndefined()
  expect(actingOf(inOrder([hidden, reader]))).toBe(hidden)
})

test('[D-118] all nodes find the same one, in whatever order they list the browsers', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(some, { selector: ({ connection }) => connection }),
      fc.integer(),
      (list, seed) => {
        const shuffled = list.toSorted(
          (one, other) => ((one.connection ^ seed) % 7) - ((other.connection ^ seed) % 7),
        )
        expect(inOrder(shuffled)).toEqual(inOrder(list))
        const acting = actingOf(inOrder(list))
        if (acting === undefined) return
        const rivals = inOrder(list).filter(({ mayAct }) => mayAct)
        expect(rivals.some((one) => one.isVisible && !acting.isVisible)).toBe(false)
        expect(
          rivals.some((one) => one.isVisible === acting.isVisible && one.focusedAt > acting.focusedAt),
        ).toBe(false)
      },
    ),
  )
})

test('[D-121] of the connections of one browser, the newest counts', () => {
  const old = present({ node: 'n1', connection: 7, openedAt: 1, focusedAt: 5 })
  const fresh = present({ node: 'n2', connection: 3, openedAt: 2, focusedAt: 2 })
  expect(inOrder([old, fresh])).toEqual([fresh])
  expect(inOrder([fresh, old])).toEqual([fresh])
})

test('[D-118] what another version of the server wrote is passed over', () => {
  const read = (info: string) => readMember({ id: 'b', node: 'n', info })
  expect(read('[1,0,1,5,2,4,"tab"]')).toEqual(
    present({ focusedAt: 5, connection: 2, openedAt: 4, readyTabs: ['tab'] }),
  )
  for (const info of ['', '{}', 'null', '[1]', '[1,0,1,"a","b","c"]']) expect(read(info)).toBeUndefined()
})
