import { type Logger, pino, stdSerializers } from 'pino'
import { readableLine } from './readable.ts'

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
