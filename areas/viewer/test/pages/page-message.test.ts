import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readPageMessage } from '../../src/pages/pages.socket.ts'

const OPEN = { type: 'open', pageId: randomUUID(), showing: null, isVisible: true, isFocused: false }

test('[E-157] what a page says is understood, and nothing else', () => {
  expect(readPageMessage(JSON.stringify(OPEN))).toEqual(OPEN)
  const strange = [
    '',
    'null',
    '[]',
    '{"type":"open"}',
    '{"type":"show"}',
    JSON.stringify({ ...OPEN, pageId: 'mine' }),
    JSON.stringify({ ...OPEN, showing: 'eval' }),
    JSON.stringify({ ...OPEN, more: 1 }),
    JSON.stringify({ type: 'shown', id: 'x'.repeat(65) }),
    JSON.stringify({ type: 'attention', isVisible: 1, isFocused: 0 }),
  ]
  for (const text of strange) expect(readPageMessage(text)).toBeUndefined()
})
