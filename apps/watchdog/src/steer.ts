import { type CallOptions, call, Problem, UnexpectedResponse } from '@patchbay/contracts/core'
import {
  getWatchdogStatus,
  postRestart,
  postStart,
  postStop,
  postWatchdog,
  type WatchdogStatus,
} from '@patchbay/contracts/gateway'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfigOrExit, type Surroundings } from '@patchbay/kernel/lifecycle'
import { atAGlance, isAsWanted } from './at-a-glance.ts'
import { type WatchdogConfig, watchdogConfig } from './config.ts'

export interface Target {
  /** Unset: where the environment says that the watchdog of this machine listens. */
  readonly url?: string | undefined
}

export type Steering = 'status' | 'start' | 'stop' | 'restart' | 'auto on' | 'auto off'

const EXIT_NOT_AS_WANTED = 1
/** As sysexits has it: the service cannot be reached. */
const EXIT_UNAVAILABLE = 69
const STATUS_DEADLINE_MS = 5_000
/** Longer than the longest drain that can be configured, and a start. */
const COMMAND_DEADLINE_MS = 400_000

/** Sends a command, or none, and shows how things are then. Exit code 0 says that they are as wanted. */
export async function steerWatchdog(
  surroundings: Surroundings,
  steering: Steering,
  target: Target = {},
): Promise<void> {
  const { print, printError, host } = surroundings
  const config = readOwn(surroundings)
  if (config === undefined) return
  const url = target.url ?? urlOf(config)
  try {
    const status = await send(steering, url, config)
    print(atAGlance(status, url, systemClock.now()))
    if (!isAsWanted(status)) host.exit(EXIT_NOT_AS_WANTED)
  } catch (error) {
    const { text, exitCode } = explain(error, url)
    printError(text)
    host.exit(exitCode)
  }
}

async function send(steering: Steering, baseUrl: string, { token }: WatchdogConfig): Promise<WatchdogStatus> {
  const options = {
    baseUrl,
    headers: token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` },
    signal: AbortSignal.timeout(steering === 'status' ? STATUS_DEADLINE_MS : COMMAND_DEADLINE_MS),
  }
  return (await SENDERS[steering](options)).body
}

const SENDERS: Readonly<Record<Steering, (options: CallOptions) => Promise<{ body: WatchdogStatus }>>> = {
  status: (options) => call(getWatchdogStatus, {}, options),
  start: (options) => call(postStart, {}, options),
  stop: (options) => call(postStop, {}, options),
  restart: (options) => call(postRestart, {}, options),
  'auto on': (options) => call(postWatchdog, { body: { autoRestart: true } }, options),
  'auto off': (options) => call(postWatchdog, { body: { autoRestart: false } }, options),
}

function explain(error: unknown, url: string): { text: string; exitCode: number } {
  if (error instanceof Problem) {
    const hint = error.code === 'token_required' ? ' Set PATCHBAY_WATCHDOG_TOKEN.' : ''
    return { text: `The watchdog refused: ${error.message}${hint}`, exitCode: EXIT_NOT_AS_WANTED }
  }
  if (error instanceof UnexpectedResponse)
    return {
      text: `Something answers at ${url}, but it is no watchdog (${error.message}).`,
      exitCode: EXIT_UNAVAILABLE,
    }
  const { cause, message } = error as Error & { cause?: { code?: string } }
  return {
    text: [
      `No watchdog answers at ${url} (${cause?.code ?? message}).`,
      'Start one with "patchbay watchdog run", or say where it is with --url.',
    ].join('\n'),
    exitCode: EXIT_UNAVAILABLE,
  }
}

/** Only what concerns the watchdog: the rest of the environment is for whoever starts the other processes. */
function readOwn(surroundings: Surroundings): WatchdogConfig | undefined {
  const environment = Object.fromEntries(
    Object.entries(surroundings.environment).filter(([name]) => name.startsWith('PATCHBAY_WATCHDOG_')),
  )
  return readConfigOrExit(watchdogConfig, { ...surroundings, environment })
}

function urlOf({ host, port }: WatchdogConfig): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
