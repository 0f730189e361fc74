import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bytesInWords } from '../src/terminal/bytes.ts'
import { startProgress } from '../src/terminal/progress.ts'

function screen(isInteractive: boolean, columns = 40) {
  const written: string[] = []
  const terminal = { isInteractive, columns: () => columns, write: (text: string) => void written.push(text) }
  return { written, surroundings: { terminal, environment: {} } }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[CLI-81] on a terminal a bar moves within one line, and is gone in the end', () => {
  const { written, surroundings } = screen(true)
  {
    using progress = startProgress('Downloading com.example.blinky', surroundings)
    progress.update(500_000, 1_000_000)
    vi.advanceTimersByTime(700)
  }
  const [first = ''] = written
  expect(first).toContain('Downloading com.example.blinky █')
  for (const text of written) expect(text.replace('\r\u001B[K', '').length).toBeLessThan(40)
  expect(written.at(-1)).toBe('\r\u001B[K')
})

test('[CLI-81] elsewhere a plain line comes after a second, and what is quicker says nothing', () => {
  const { written, surroundings } = screen(false)
  {
    using progress = startProgress('Packing', surroundings, { unit: 'things' })
    progress.update(3, 9)
    vi.advanceTimersByTime(300)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1_000)
  }
  expect(written).toEqual(['Packing … 3 of 9\n'])
})

test('[CLI-81] amounts are read at a glance', () => {
  expect([0, 1, 999, 1_000, 1_234_567, 999_960, 45_000_000_000].map(bytesInWords)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '1.2 MB',
    '1.0 MB',
    '45 GB',
  ])
})
