import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WatchdogStatus } from '@patchbay/contracts/gateway'
import type { Surroundings } from '@patchbay/kernel/lifecycle'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'

const RUN = fileURLToPath(new URL('./run-watchdog.ts', import.meta.url))
const GATEWAY = fileURLToPath(
  new URL('../../../areas/watchdog/test/well-behaved-gateway.ts', import.meta.url),
)

export interface Place extends AsyncDisposable {
  readonly folder: string
  readonly gatewayPort: number
  readonly environment: Readonly<Record<string, string>>
}

/** A state folder and a gateway port that several watchdogs of one test may share. */
export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-watchdog-'))
  const gatewayPort = await freePort()
  return {
    folder,
    gatewayPort,
    environment: {
      PATH: process.env['PATH'] ?? '',
      PATCHBAY_WATCHDOG_PORT: '0',
      PATCHBAY_WATCHDOG_STATE_DIR: folder,
      PATCHBAY_WATCHDOG_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Starts the process and says nothing about whether it stays. */
export function launch(
  place: Place,
  environment: Record<string, string> = {},
  command?: string[],
): RunningProcess {
  const what = command ?? [process.execPath, GATEWAY, String(place.gatewayPort)]
  return startProcess(process.execPath, [RUN, ...what], {
    env: { ...place.environment, ...environment },
    cwd: place.folder,
  })
}

export interface RunningWatchdog extends RunningProcess {
  readonly url: string
  status(): Promise<WatchdogStatus>
  until(state: WatchdogStatus['state']): Promise<WatchdogStatus>
}

export async function startWatchdogProcess(
  place: Place,
  environment: Record<string, string> = {},
  command?: string[],
): Promise<RunningWatchdog> {
  const running = launch(place, environment, command)
  const listening = () => /"url":"(http:[^"]+)"/.exec(running.output())?.[1]
  await waitUntil('the watchdog listens', () => listening() !== undefined, { deadlineMs: 60_000 }).catch(
    (error: unknown) => {
      throw new Error(`the watchdog did not start:\n${running.output()}`, { cause: error })
    },
  )
  const url = listening() ?? ''
  const token = environment['PATCHBAY_WATCHDOG_TOKEN']
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const status = async () => (await (await fetch(`${url}/status`, { headers })).json()) as WatchdogStatus
  return Object.assign(running, {
    url,
    status,
    async until(state: WatchdogStatus['state']) {
      await waitUntil(`the state is ${state}`, async () => (await status()).state === state, {
        deadlineMs: 60_000,
      })
      return await status()
    },
  })
}

export interface Recorded extends Surroundings {
  readonly printed: string[]
  readonly errors: string[]
  readonly exits: number[]
}

/** Where a command of the command line finds itself, with what it did written down. */
export function recordingSurroundings(environment: Readonly<Record<string, string>>): Recorded {
  const printed: string[] = []
  const errors: string[] = []
  const exits: number[] = []
  return {
    environment,
    host: { on: () => {}, exit: (code) => void exits.push(code) },
    runId: 'test',
    createNonce: randomUUID,
    createSecret: () => 'secret',
    print: (text) => void printed.push(text),
    printError: (text) => void errors.push(text),
    printed,
    errors,
    exits,
  }
}

export async function exitOf({ child }: RunningProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0]
}
