import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetAtExit, removeAtExit } from './leftovers.ts'

export interface RunningProcess extends AsyncDisposable {
  readonly pid: number
  readonly child: ChildProcess
  /** Everything the process printed so far, newest last, capped. */
  output(): string
  kill(signal?: NodeJS.Signals): Promise<void>
  /** How it ended, also for who asks afterwards: the event itself is missed by whoever listens too late. */
  readonly exited: Promise<ProcessEnd>
}

export type ProcessEnd = readonly [code: number | null, signal: NodeJS.Signals | null]

const OUTPUT_CAP = 64 * 1024

/** Starts a process of ours. It is ended by its own pid only; nothing else on the machine is touched. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): RunningProcess {
  const env = command === process.execPath ? withCompiledCode(options.env) : options.env
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, env })
  // A test runner that dies must not leave engines behind: they would hold ports and temporary folders.
  const end = () => void child.kill('SIGKILL')
  removeAtExit(end)
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_CAP)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  child.on('error', (error) => {
    output += `\n${error.message}`
  })
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]))
    child.once('error', () => resolve([child.exitCode, child.signalCode]))
  }).finally(() => forgetAtExit(end))
  const kill = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await Promise.race([exited, sleep(10_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
  }
  return {
    pid: child.pid ?? -1,
    child,
    output: () => output,
    kill,
    exited,
    [Symbol.asyncDispose]: () => kill(),
  }
}

/** An environment of its own for a Node process, which finds there what others have compiled and bundled in this test run. */
export function withCompiledCode(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE, TEST_COMMAND_FOLDER } = process.env
  return {
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    ...(TEST_COMMAND_FOLDER === undefined ? {} : { TEST_COMMAND_FOLDER }),
    ...environment,
  }
}

/** Polls until `probe` holds; fails with `what` after the deadline. */
export async function waitUntil(
  what: string,
  probe: () => Promise<boolean> | boolean,
  { deadlineMs = 10_000, intervalMs = 50 }: { deadlineMs?: number; intervalMs?: number } = {},
): Promise<void> {
  const end = performance.now() + deadlineMs
  for (;;) {
    if (await probe()) return
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`)
    await sleep(intervalMs)
  }
}

/** Where the system can, the kernel ends the daemon with its parent: no exit handler runs in a killed test runner. */
export function endingWithUs(command: string, args: readonly string[]): [string, string[]] {
  return onPath('setpriv')
    ? ['setpriv', ['--pdeathsig', 'KILL', '--', command, ...args]]
    : [command, [...args]]
}

export function onPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
