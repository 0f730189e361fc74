import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLines } from '../src/develop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[DEV-9] a line is written a moment later, at the end at once, and not if Ctrl-C came meanwhile', () => {
  const written: string[] = []
  const lines = holdLines((line) => written.push(line))
  lines.write('first')
  lines.write('second')
  vi.advanceTimersByTime(200)
  expect(written).toEqual([])
  vi.advanceTimersByTime(200)
  expect(written).toEqual(['first', 'second'])

  lines.write('a connection was lost')
  lines.drop()
  vi.advanceTimersByTime(400)
  lines.write('last')
  lines.flush()
  expect(written).toEqual(['first', 'second', 'last'])
  vi.advanceTimersByTime(400)
  expect(written).toHaveLength(3)
})
