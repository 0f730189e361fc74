import { systemClock } from '@patchbay/kernel/clock'
import { Lifecycle, readConfigOrExit, runUntilSignal, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { gatewayConfig } from './config.ts'
import { startGateway } from './gateway.ts'

/** The whole process: configuration in, a listening gateway out, until a signal ends it. */
export async function runGateway(surroundings: Surroundings): Promise<void> {
  const config = readConfigOrExit(gatewayConfig, surroundings)
  if (config === undefined) return
  const node = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({ level: config.logLevel, process: 'gateway', node })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  const { createNonce } = surroundings
  try {
    await startGateway({ config, log, clock: systemClock, node, lifecycle, createNonce })
  } catch (error) {
    log.fatal({ err: error }, 'cannot start')
    surroundings.host.exit(1)
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkGatewayConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(gatewayConfig, surroundings) === undefined) return
  surroundings.print('The configuration of gateway is sound.')
}
