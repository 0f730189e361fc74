import { type Budget, cut } from './budget.ts'
import { describe } from './describe.ts'
import { ABSENT } from './describe-object.ts'
import { errorText } from './error-text.ts'
import { now, put, slice, stringify } from './intrinsics.ts'
import { isError } from './kinds.ts'
import { CONSOLE_LEVELS, MOST_LINES, MOST_TEXT } from './limits.ts'

export interface Lines {
  /** A line that code did not write itself: an error that nobody caught. */
  add(level: string, text: string): void
  /** A new evaluation may write as much as the one before. */
  renew(): void
}

const REFILL_MS = 1_000

/** Puts a console in the page whose lines are sent out, up to a number of lines and characters for an evaluation or second. */
export function captureConsole(send: (level: string, text: string) => void): Lines {
  let lines = 0
  let left: number = MOST_TEXT
  let since = now()

  function renew(): void {
    lines = 0
    left = MOST_TEXT
    since = now()
  }
  function add(level: string, text: string): void {
    if (lines > MOST_LINES && now() - since > REFILL_MS) renew()
    if (lines > MOST_LINES) return
    lines += 1
    if (lines > MOST_LINES || left <= 0) {
      lines = MOST_LINES + 1
      send('warn', 'More lines were left out.')
      return
    }
    const fitting = slice(text, 0, left)
    left -= fitting.length
    send(level, fitting)
  }

  for (const level of CONSOLE_LEVELS) {
    put(console, level, (...values: unknown[]) => add(level, textOfAll(values)))
  }
  put(console, 'trace', (...values: unknown[]) => add('debug', textOfAll(values)))
  put(console, 'assert', (isTrue: unknown, ...values: unknown[]) => {
    if (!isTrue) add('error', `Assertion failed: ${textOfAll(values)}`)
  })
  for (const level of ['dir', 'table']) {
    put(console, level, (...values: unknown[]) => add('log', textOfAll(values)))
  }
  return { add, renew }
}

function textOfAll(values: readonly unknown[]): string {
  const budget = { left: MOST_TEXT, isTruncated: false }
  let text = ''
  for (let index = 0; index < values.length && budget.left > 0; index += 1) {
    text += `${index === 0 ? '' : ' '}${textOf(values[index], budget)}`
  }
  return budget.isTruncated ? `${text}…` : text
}

function textOf(value: unknown, budget: Budget): string {
  try {
    if (typeof value === 'string') return cut(value, budget)
    if (isError(value)) return cut(errorText(value), budget)
    const described = describe(value, budget)
    if (described === ABSENT) return 'undefined'
    return typeof described === 'string' ? described : (stringify(described) ?? '')
  } catch (error) {
    return errorText(error)
  }
}
