import { systemClock } from '@patchbay/kernel/clock'
import {
  endFailedStart,
  Lifecycle,
  readConfigOrExit,
  runUntilSignal,
  type Surroundings,
} from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { StateFolderTaken } from '@patchbay/watchdog'
import { gatewayUrlOf, watchdogConfig } from './config.ts'
import { type Supervised, startWatchdog, stopDeadlineMs, timingsOf } from './watchdog.ts'

/** The whole process: it starts the gateway and looks after it until a signal ends both. */
export async function runWatchdog(surroundings: Surroundings, gateway: Supervised): Promise<void> {
  const { environment, host, printError, runId, createNonce } = surroundings
  const config = readConfigOrExit(watchdogConfig, surroundings)
  if (config === undefined) return
  const node = `watchdog-${runId}`
  const log = createLog({
    level: config.logLevel,
    process: 'watchdog',
    node,
    isReadable: surroundings.isTerminal,
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(host, lifecycle, log, stopDeadlineMs(timingsOf(config)))
  try {
    const { url } = await startWatchdog({
      config,
      gateway,
      environment,
      log,
      clock: systemClock,
      node,
      lifecycle,
      createNonce,
    })
    if (surroundings.isTerminal === true) surroundings.print(greeting(url, gatewayUrlOf(config)))
  } catch (error) {
    if (!(error instanceof StateFolderTaken))
      return endFailedStart(surroundings, log, error, { PATCHBAY_WATCHDOG_PORT: config.port })
    printError(error.message)
    host.exit(1)
  }
}

/** What whoever started it needs to know. */
function greeting(url: string, gatewayUrl: string): string {
  return `
  The watchdog is up at ${url}

  Gateway  ${gatewayUrl}

  "patchbay watchdog" shows how both are. Ctrl-C stops both.
`
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkWatchdogConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(watchdogConfig, surroundings) === undefined) return
  surroundings.print('The configuration of watchdog is sound.')
}
