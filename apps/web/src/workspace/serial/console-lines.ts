import type { SerialText } from '@patchbay/device-kit'
import type { SerialLine } from '../instruments/serial-console.tsx'

export const MOST_LINES = 5_000
/** Boards that say more in a line are seen to, but 5,000 such lines would fill the memory of the page. */
const MOST_SHOWN = 1_000

/** What went over a line, the latest last. */
export interface ConsoleLines {
  take(lines: readonly SerialText[], at: number): void
  sent(text: string, at: number): void
  /** The same array until there is more. */
  read(pending: string, at: number): readonly SerialLine[]
}

export function createConsoleLines(): ConsoleLines {
  const kept: SerialLine[] = []
  let nextId = 0
  let changes = 0
  let shown: { readonly changes: number; readonly pending: string; readonly lines: readonly SerialLine[] } = {
    changes: 0,
    pending: '',
    lines: [],
  }

  function add(direction: SerialLine['direction'], text: string, at: number): void {
    kept.push({ id: nextId++, at, direction, text: cut(text) })
    changes += 1
    if (kept.length > 2 * MOST_LINES) kept.splice(0, kept.length - MOST_LINES)
  }

  return {
    take(lines, at) {
      // Of a flood nobody sees more than what stays.
      for (const { text } of lines.slice(-MOST_LINES)) add('in', text, at)
    },
    sent: (text, at) => add('out', text, at),
    read(pending, at) {
      if (shown.changes === changes && shown.pending === pending) return shown.lines
      const all: readonly SerialLine[] =
        pending === ''
          ? kept
          : [...kept.slice(-MOST_LINES), { id: nextId, at, direction: 'in', text: cut(pending) }]
      shown = { changes, pending, lines: all.slice(-MOST_LINES) }
      return shown.lines
    },
  }
}

const cut = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
