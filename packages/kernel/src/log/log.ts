import { stripHidden } from '@patchbay/primitives/text'
import { type Logger, pino, stdSerializers } from 'pino'

export type Log = Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

export interface LogOptions {
  readonly level: LogLevel
  readonly process: string
  readonly node?: string
  /** Where lines go; standard output unless a test collects them. */
  readonly destination?: { write(line: string): void }
  /** Somebody reads them on a terminal: words in place of JSON. */
  readonly isReadable?: boolean | undefined
}

/**
 * Structured logs, one JSON object per line, or one readable line for a terminal.
 * Requests are logged by their route pattern, never by their address: a path or query can carry a token.
 */
export function createLog({ level, process: name, node, destination, isReadable }: LogOptions): Log {
  // Synchronous: a buffered line is lost, or printed out of order, when the process ends.
  const lines = destination ?? pino.destination({ fd: 1, sync: true })
  return pino(
    {
      level,
      base: { process: name, ...(node === undefined ? {} : { node }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err },
    },
    isReadable === true ? { write: (line) => lines.write(`${readableLine(line)}\n`) } : lines,
  )
}

/** Said once at the start, or in the line anyway. */
const LEFT_OUT = new Set(['level', 'time', 'process', 'node', 'msg', 'err'])

/**
 * A line of the log as a person reads it: `10:32:07 warn  bus lost  attempt=3`. Errors have their stack below. Fields
 * repeat what strangers sent, which could move the cursor.
 */
function readableLine(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown>
  const fields = Object.entries(line)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const time = new Date(String(line['time'])).toTimeString().slice(0, 8)
  const words = [time, String(line['level']).padEnd(5), textOf(line['msg']), ...fields].filter(
    (word) => word !== '',
  )
  return [words.join(' '), ...stackOf(line['err'])].map(stripHidden).join('\n')
}

function textOf(message: unknown): string {
  return typeof message === 'string' ? message : ''
}

function stackOf(error: unknown): string[] {
  const { stack, message } = Object(error) as { stack?: unknown; message?: unknown }
  const text = textOf(stack) || textOf(message)
  return text === '' ? [] : text.split('\n').map((each) => `  ${each}`)
}
