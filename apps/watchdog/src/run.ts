import { StateFolderTaken } from '@patchbay/gateway/watchdog'
import { systemClock } from '@patchbay/kernel/clock'
import { Lifecycle, readConfigOrExit, runUntilSignal, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { watchdogConfig } from './config.ts'
import { startWatchdog, stopDeadlineMs, type Supervised, timingsOf } from './watchdog.ts'

/** The whole process: it starts the gateway and looks after it until a signal ends both. */
export async function runWatchdog(surroundings: Surroundings, gateway: Supervised): Promise<void> {
  const { environment, host, printError, runId, createNonce } = surroundings
  const config = readConfigOrExit(watchdogConfig, surroundings)
  if (config === undefined) return
  const node = `watchdog-${runId}`
  const log = createLog({ level: config.logLevel, process: 'watchdog', node })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(host, lifecycle, log, stopDeadlineMs(timingsOf(config)))
  try {
    await startWatchdog({
      config,
      gateway,
      environment,
      log,
      clock: systemClock,
      node,
      lifecycle,
      createNonce,
    })
  } catch (error) {
    if (error instanceof StateFolderTaken) printError(error.message)
    else log.fatal({ err: error }, 'cannot start')
    host.exit(1)
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkWatchdogConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(watchdogConfig, surroundings) === undefined) return
  surroundings.print('The configuration of watchdog is sound.')
}
