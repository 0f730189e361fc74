import type { LogEntry } from '../../panel-definition.ts'

const LEVELS = { log: 'info', info: 'info', warn: 'warn', error: 'error', debug: 'debug' } as const

/** A line of the frame's console as the system log has it. */
export function logLine(
  { level, text }: { readonly level: string; readonly text: string },
  about: string,
): Omit<LogEntry, 'at'> {
  const known = level in LEVELS ? LEVELS[level as keyof typeof LEVELS] : 'info'
  return { source: 'console', level: known, text, about }
}
