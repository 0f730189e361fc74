import { bytesInWords } from './bytes.ts'
import type { CliSurroundings } from './surroundings.ts'

type Unit = 'bytes' | 'things' | 'seconds'

export interface ProgressOptions {
  /** What is counted. Default: bytes. */
  readonly unit?: Unit
  /** False while another one is shown in its place: two of them would write over each other. */
  readonly isShown?: () => boolean
}

export interface Progress extends Disposable {
  update(done: number, total?: number, title?: string): void
}

type ProgressSurroundings = Pick<CliSurroundings, 'terminal' | 'environment'>

const EVERY_MS = 100
/** What is done sooner needs no bar. */
const PATIENCE_MS = 400
/** A log is not flooded. */
const LINE_EVERY_MS = 5_000
const FIRST_LINE_MS = 1_000
const CLEAR_LINE = '\r\u001B[K'
const USUAL_COLUMNS = 80
const BAR_CELLS = 24

/** How far something is, on standard error: a bar for somebody who looks, a line now and then for a log. */
export function startProgress(
  title: string,
  { terminal, environment }: ProgressSurroundings,
  { unit = 'bytes', isShown = () => true }: ProgressOptions = {},
): Progress {
  const moves = terminal.isInteractive && environment['TERM'] !== 'dumb'
  const state = { title, done: 0, total: undefined as number | undefined, isDrawn: false }
  const startedAt = performance.now()
  const draw = () => {
    if (performance.now() - startedAt < PATIENCE_MS || !isShown()) return
    const room = (terminal.columns() || USUAL_COLUMNS) - 1
    terminal.write(CLEAR_LINE + barOf(state, unit).slice(0, room))
    state.isDrawn = true
  }
  let nextLineAt = startedAt + FIRST_LINE_MS
  const writeLine = () => {
    if (performance.now() < nextLineAt || !isShown()) return
    nextLineAt = performance.now() + LINE_EVERY_MS
    terminal.write(`${lineOf(state, unit)}\n`)
  }
  // A timer draws, not whoever reports: thousands of reports a second would slow the work down.
  const timer = setInterval(moves ? draw : writeLine, EVERY_MS)
  timer.unref()
  return {
    update(done, total, newTitle) {
      Object.assign(state, { done, total, title: newTitle ?? state.title })
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      if (state.isDrawn) terminal.write(CLEAR_LINE)
      state.isDrawn = false
    },
  }
}

interface Drawn {
  readonly title: string
  readonly done: number
  readonly total: number | undefined
}

function barOf(state: Drawn, unit: Unit): string {
  const { done, total } = state
  if (total === undefined || total <= 0) return lineOf(state, unit)
  const share = Math.min(1, done / total)
  const full = Math.round(share * BAR_CELLS)
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}`
  return `${state.title} ${bar} ${Math.floor(share * 100)} % ${amountOf(state, unit)}`
}

function lineOf(state: Drawn, unit: Unit): string {
  return state.done === 0 && state.total === undefined
    ? `${state.title} …`
    : `${state.title} … ${amountOf(state, unit)}`
}

const WORDS: Readonly<Record<Unit, (amount: number) => string>> = {
  bytes: bytesInWords,
  things: String,
  seconds: (amount) => `${amount} s`,
}

function amountOf({ done, total }: Drawn, unit: Unit): string {
  const words = WORDS[unit]
  return total === undefined || total <= 0 ? words(done) : `${words(done)} of ${words(total)}`
}
