import { expect, test } from 'vitest'
import { startSpinner } from '../src/account/sign-in.ts'

/** What a terminal of so many columns was told. */
function written(text: string, environment: Record<string, string>, columns: number | undefined): string {
  let said = ''
  const write = (more: string) => {
    said += more
  }
  const terminal = { isInteractive: true, columns: () => columns, write }
  startSpinner(text, { terminal, environment })[Symbol.dispose]()
  return said
}

const TEXT = 'Waiting for you to approve in the browser. Ctrl-C stops.'

test('[CLI-26] the line is cut to what the terminal has room for', () => {
  expect(written(TEXT, {}, 20)).toBe('\r\u001B[K⠋ Waiting for you t\r\u001B[K')
  expect(written(TEXT, {}, 100)).toBe(`\r\u001B[K⠋ ${TEXT}\r\u001B[K`)
  for (const unknown of [0, undefined]) expect(written(TEXT, {}, unknown)).toContain(TEXT)
})

test('[CLI-26] nothing moves on a terminal that is dumb', () => {
  expect(written(TEXT, { TERM: 'dumb' }, 80)).toBe(`${TEXT}\n`)
})
