import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { arrivedAfter, pageAfter, readArrivalCursor } from '../../src/pastes/order.ts'
import { presentPaste } from '../../src/pastes/present.ts'
import type { StoredPaste } from '../../src/ports.ts'

function storedAt(time: number): StoredPaste {
  const picture = { width: 4, height: 3, bytes: 70 }
  return {
    id: randomUUID(),
    createdAt: new Date(time),
    title: undefined,
    name: `sp-${time}`,
    namedBy: undefined,
    earlier: [],
    isNaming: false,
    namingNote: undefined,
    optimized: { ...picture, file: `sp-${time}-4x3.png` },
    original: { ...picture, file: `sp-${time}-4x3-original.png` },
    source: { type: 'image/png', bytes: 71, fileName: undefined },
  }
}

const newestFirst = [50, 40, 30, 20, 10].map(storedAt)

test('[E-133] after a cursor come those that arrived later, oldest first', () => {
  const arrivals = [10, 20, 30].map((time) => ({ id: String(time), time }))
  const after = (cursor: number) => arrivedAfter(arrivals, cursor).map(({ time }) => time)
  expect([after(0), after(10), after(15), after(30), after(31)]).toEqual([
    [10, 20, 30],
    [20, 30],
    [20, 30],
    [],
    [],
  ])
  expect(readArrivalCursor('0')).toBe(0)
  for (const strange of ['', '-1', '1.5', 'abc', '1'.repeat(16), ' 1'])
    expect(() => readArrivalCursor(strange)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('[E-136] pages of the list go on where the last one ended, also when that paste was deleted', () => {
  const first = pageAfter(newestFirst, undefined, 2)
  expect(first.items).toEqual(newestFirst.slice(0, 2))
  const cursor = first.nextCursor ?? ''
  const second = pageAfter(newestFirst, cursor, 2)
  expect(second.items).toEqual(newestFirst.slice(2, 4))
  expect(pageAfter([...newestFirst.slice(0, 1), ...newestFirst.slice(2)], cursor, 2)).toEqual(second)
  expect(pageAfter(newestFirst, second.nextCursor ?? '', 2)).toEqual({
    items: newestFirst.slice(4),
    nextCursor: null,
  })
  expect(pageAfter(newestFirst, undefined, 5).nextCursor).toBeNull()
  expect(pageAfter([], undefined, 5)).toEqual({ items: [], nextCursor: null })
  for (const strange of ['x', '10', `10.${'../'.repeat(12)}`])
    expect(() => pageAfter(newestFirst, strange, 2)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
})

test('[E-121] a paste is told with where its files are, from the project’s root and on this machine', () => {
  expect(presentPaste(storedAt(7), '/home/ada/board/screenshots/sp')).toMatchObject({
    state: 'unnamed',
    named_by: null,
    can_undo: false,
    optimized: {
      path: 'screenshots/sp/sp-7-4x3.png',
      absolute_path: '/home/ada/board/screenshots/sp/sp-7-4x3.png',
      url: '/pastes/sp-7-4x3.png',
    },
    original: { path: 'screenshots/sp/sp-7-4x3-original.png' },
  })
})
