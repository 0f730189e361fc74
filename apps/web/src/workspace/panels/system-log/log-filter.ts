import type { SYSTEM_LOG_FILTERS } from '@patchbay/contracts/panels'
import type { LogEntry } from '../../panel-definition.ts'

export type LogFilter = (typeof SYSTEM_LOG_FILTERS)[number]

const TAKES: Readonly<Record<LogFilter, (entry: LogEntry) => boolean>> = {
  all: () => true,
  agents: ({ source }) => source === 'agent',
  console: ({ source }) => source === 'console',
  problems: ({ level }) => level === 'warn' || level === 'error',
}

/** The entries of a filter in which all the words occur, in any order and case. */
export function choose(entries: readonly LogEntry[], filter: LogFilter, words: string): readonly LogEntry[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    if (!TAKES[filter](entry)) return false
    const text = `${entry.source} ${entry.about ?? ''} ${entry.text}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** What was added after an entry; all of it once that one has left the log. */
export function since(entries: readonly LogEntry[], last: LogEntry | undefined): readonly LogEntry[] {
  return last === undefined ? entries : entries.slice(entries.lastIndexOf(last) + 1)
}

/** As lines of a text file. */
export function asText(entries: readonly LogEntry[]): string {
  return entries
    .map(({ at, source, level, about, text }) =>
      [at.toISOString(), source, level, ...(about === undefined ? [] : [`[${about}]`]), text].join(' '),
    )
    .join('\n')
}

/** Entries that say the same one after the other, as one. */
export interface LogRun {
  readonly first: LogEntry
  readonly latest: LogEntry
  readonly times: number
}

export function runsOf(entries: readonly LogEntry[]): readonly LogRun[] {
  const runs: LogRun[] = []
  for (const entry of entries) {
    const last = runs.at(-1)
    if (last !== undefined && saysSame(last.latest, entry))
      runs[runs.length - 1] = { ...last, latest: entry, times: last.times + 1 }
    else runs.push({ first: entry, latest: entry, times: 1 })
  }
  return runs
}

function saysSame(one: LogEntry, other: LogEntry): boolean {
  return (
    one.text === other.text &&
    one.source === other.source &&
    one.level === other.level &&
    one.about === other.about
  )
}
