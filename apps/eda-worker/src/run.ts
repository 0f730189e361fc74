import { CannotWork } from '@patchbay/boards'
import { systemClock } from '@patchbay/kernel/clock'
import {
  EXIT_CONFIG,
  endFailedStart,
  Lifecycle,
  notifySystemd,
  readConfigOrExit,
  runUntilSignal,
  type Surroundings,
} from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { workerConfig } from './config.ts'
import { startWorker } from './worker.ts'

/** The whole process: configuration in, a worker that asks for jobs out, until a signal ends it. */
export async function runWorker(surroundings: Surroundings): Promise<void> {
  const config = readConfigOrExit(workerConfig, surroundings)
  if (config === undefined) return
  const id = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({
    level: config.logLevel,
    process: 'worker',
    node: id,
    isReadable: surroundings.isTerminal,
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1_000)
  const { createNonce } = surroundings
  try {
    const { version } = await startWorker({ config, log, clock: systemClock, id, lifecycle, createNonce })
    notifySystemd(surroundings.environment, log)
    if (surroundings.isTerminal === true)
      surroundings.print(`\n  The worker runs, with KiCad ${version}. Ctrl-C stops it.\n`)
  } catch (error) {
    if (!(error instanceof CannotWork)) return endFailedStart(surroundings, log, error, {})
    // Starting again will not help: something has to be installed.
    surroundings.printError(error.message)
    surroundings.host.exit(EXIT_CONFIG)
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkWorkerConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(workerConfig, surroundings) === undefined) return
  surroundings.print('The configuration of worker is sound.')
}
