import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Ended {
  readonly code: number
  /** Standard output and standard error. */
  readonly output: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Record<string, string | undefined>
  readonly timeoutMs?: number
}

const DEADLINE_MS = 60_000

/** Runs a program to its end, whatever that end is. */
export function run(
  program: string,
  args: readonly string[],
  { timeoutMs = DEADLINE_MS, ...options }: RunOptions = {},
): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>()
  const settings = { ...options, timeout: timeoutMs, encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const
  const child = execFile(program, args, settings, (error, stdout, stderr) => {
    resolve({ code: error === null ? 0 : (child.exitCode ?? -1), output: stdout + stderr })
  })
  return promise
}

export function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}
