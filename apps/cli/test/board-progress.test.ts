import { expect, test } from 'vitest'
import { progressWords } from '../src/boards/words.ts'
import { startProgress } from '../src/terminal/progress.ts'

const WORKING = {
  step: 'working',
  said: 'Rendering: 43 %',
  elapsedMs: 1_600,
  typicalMs: 4_000,
  percent: 40,
} as const

test('[CLI-254] what KiCad does is told with the time it takes, and the usual time while that is not over', () => {
  const path = 'lamp.kicad_pcb'
  expect(progressWords(path, undefined)).toEqual({ title: `KiCad: ${path}`, seconds: 0, usual: undefined })
  expect(progressWords(path, WORKING)).toEqual({
    title: `KiCad: ${path}, Rendering: 43 %`,
    seconds: 2,
    usual: 4,
  })
  expect(progressWords(path, { ...WORKING, said: null, elapsedMs: 5_000 })).toEqual({
    title: `KiCad: ${path}`,
    seconds: 5,
    usual: undefined,
  })
})

test('[CLI-254] on a terminal it is a bar in seconds', async () => {
  const written: string[] = []
  const terminal = {
    isInteractive: true,
    columns: () => 80,
    write: (text: string) => void written.push(text),
  }
  using shown = startProgress('KiCad', { terminal, environment: {} }, { unit: 'seconds' })
  shown.update(2, 4, 'KiCad: a')
  await expect.poll(() => written.at(-1), { timeout: 20_000 }).toMatch(/KiCad: a █+░+ 50 % 2 s of 4 s$/)
})
