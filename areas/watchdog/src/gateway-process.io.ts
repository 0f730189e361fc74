import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { isOrdinaryPid, type ProcessRecord } from './identity.ts'
import { INSTANCE_VARIABLE, leadsItsGroup, look } from './proc.io.ts'
import type { Ending } from './supervision.ts'

/** What to run as the gateway. */
export interface GatewayPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where its standard output goes: to ours, or nowhere. */
  readonly output: 'inherit' | 'ignore'
}

export interface GatewayProcess {
  readonly record: ProcessRecord
  readonly adopted: boolean
  terminate(): void
  /** SIGKILL to the whole group. */
  kill(): void
  /** Stops watching and leaves it running. */
  release(): void
}

type OnEnd = (ending: Pick<Ending, 'code' | 'signal' | 'startFailure' | 'known'>) => void

export interface SpawnDetails {
  readonly instance: string
  readonly startedAt: string
  readonly errorsFile: string
}

/**
 * Starts a gateway in a process group of its own. Its errors go to a file, not a pipe: a pipe would break when the
 * watchdog is killed, and the next line the gateway writes would end it too.
 */
export function spawnGateway(
  plan: GatewayPlan,
  { instance, startedAt, errorsFile }: SpawnDetails,
  onEnd: OnEnd,
): GatewayProcess | undefined {
  const startFailure = (error: unknown) =>
    onEnd({ code: null, signal: null, known: true, startFailure: (error as Error).message })
  let child: ChildProcess
  let errors: number | undefined
  try {
    const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants
    errors = openSync(errorsFile, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
    const stdio: StdioOptions = ['ignore', plan.output, errors]
    const env = { ...plan.environment, [INSTANCE_VARIABLE]: instance }
    child = spawn(plan.command, plan.args, { detached: true, stdio, env })
  } catch (error) {
    startFailure(error)
    return undefined
  } finally {
    if (errors !== undefined) closeSync(errors)
  }
  const { pid } = child
  if (pid === undefined) {
    child.once('error', startFailure)
    return undefined
  }
  // Without a listener a failed signal would be an uncaught exception.
  child.on('error', () => {})
  child.once('exit', (code, signal) => {
    endRestOfGroup(pid)
    onEnd({ code, signal, known: true, startFailure: undefined })
  })
  // Its pid cannot be given to another process before its end was reported here.
  const runs = () => child.exitCode === null && child.signalCode === null
  return {
    record: {
      pid,
      instance,
      startTime: look(pid).startTime,
      command: [plan.command, ...plan.args],
      startedAt,
    },
    adopted: false,
    terminate: () => sendSignal(pid, 'SIGTERM', runs()),
    kill: () => sendSignal(-pid, 'SIGKILL', runs()),
    release: () => child.unref(),
  }
}

/** Watches over a gateway that an earlier watchdog started. The system reports its end to nobody, so it is looked for. */
export function adoptGateway(record: ProcessRecord, watchMs: number, onEnd: OnEnd): GatewayProcess {
  const { pid, startTime } = record
  const runs = () => {
    const seen = look(pid)
    return seen.alive && (startTime === null || seen.startTime === startTime)
  }
  const timer = setInterval(() => {
    if (runs()) return
    clearInterval(timer)
    endRestOfGroup(pid)
    onEnd({ code: null, signal: null, known: false, startFailure: undefined })
  }, watchMs)
  return {
    record,
    adopted: true,
    terminate: () => sendSignal(pid, 'SIGTERM', runs()),
    kill: () => sendSignal(leadsItsGroup(pid) ? -pid : pid, 'SIGKILL', runs()),
    release: () => clearInterval(timer),
  }
}

/** Children that the gateway left behind may hold its port. The group's number is not reused while it has members. */
function endRestOfGroup(pid: number): void {
  sendSignal(-pid, 'SIGKILL', !look(pid).alive)
}

function sendSignal(target: number, name: NodeJS.Signals, verified: boolean): void {
  if (!verified || !isOrdinaryPid(Math.abs(target))) return
  try {
    process.kill(target, name)
  } catch (error) {
    // It went a moment ago, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
