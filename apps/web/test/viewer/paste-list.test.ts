import { describe, expect, test } from 'vitest'
import {
  NO_PASTES,
  type PasteList,
  withDeletedHere,
  withNewest,
  withOlder,
  withoutPaste,
  withPaste,
} from '../../src/viewer/pastes/paste-list.ts'
import { pasteNumber } from './pastes.ts'

const page = (numbers: readonly number[], next_cursor: string | null) => ({
  items: numbers.map((number) => pasteNumber(number)),
  next_cursor,
})
/** `5 4× 3`: the crossed one was deleted here. */
const drawn = ({ entries }: PasteList) =>
  entries.map(({ paste, isDeleted }) => paste.name.replace('picture-', '') + (isDeleted ? '×' : '')).join(' ')
const idOf = (number: number) => pasteNumber(number).id

describe('[W-407] the list of pastes', () => {
  const list = withNewest(NO_PASTES, page([5, 4, 3], 'older than 3'))

  test('[W-407] has new ones at their place and changed ones where they were', () => {
    expect(drawn(withPaste(list, pasteNumber(6)))).toBe('6 5 4 3')
    expect(drawn(withPaste(list, pasteNumber(4, { name: 'renamed' })))).toBe('5 renamed 3')
  })

  test('[W-407] leaves older ones to their page, which comes when it is asked for', () => {
    expect(drawn(withPaste(list, pasteNumber(1)))).toBe('5 4 3')
    const whole = withOlder(list, page([3, 2, 1], null))
    expect(drawn(whole)).toBe('5 4 3 2 1')
    expect(drawn(withPaste(whole, pasteNumber(0)))).toBe('5 4 3 2 1 0')
  })

  test('[W-405][W-407] forgets what others deleted, and keeps a line for what was deleted here', () => {
    expect(drawn(withoutPaste(list, idOf(4)))).toBe('5 3')
    const marked = withDeletedHere(list, idOf(4))
    expect(drawn(withoutPaste(marked, idOf(4)))).toBe('5 4× 3')
    expect(drawn(withPaste(marked, pasteNumber(4)))).toBe('5 4 3')
  })

  test('[W-387][W-407] read again, it has what there is now, and still what is older', () => {
    const longer = withOlder(list, page([2, 1], 'older than 1'))
    const again = withNewest(withDeletedHere(longer, idOf(4)), page([6, 5, 3], 'older than 3'))
    expect(drawn(again)).toBe('6 5 4× 3 2 1')
    expect(again.olderFrom).toBe('older than 1')
    const all = withNewest(longer, page([6, 3], null))
    expect(drawn(all)).toBe('6 3')
    expect(all.olderFrom).toBeNull()
  })
})
