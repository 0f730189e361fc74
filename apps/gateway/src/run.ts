import { systemClock } from '@patchbay/kernel/clock'
import {
  endFailedStart,
  Lifecycle,
  notifySystemd,
  readConfigOrExit,
  runUntilSignal,
  type Surroundings,
} from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { gatewayConfig } from './config.ts'
import { type RunningGateway, startGateway } from './gateway.ts'

/** The whole process: configuration in, a listening gateway out, until a signal ends it. */
export async function runGateway(surroundings: Surroundings): Promise<void> {
  const config = readConfigOrExit(gatewayConfig, surroundings)
  if (config === undefined) return
  const node = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({
    level: config.logLevel,
    process: 'gateway',
    node,
    isReadable: surroundings.isTerminal,
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  const { createNonce } = surroundings
  try {
    const gateway = await startGateway({ config, log, clock: systemClock, node, lifecycle, createNonce })
    notifySystemd(surroundings.environment, log)
    if (surroundings.isTerminal === true) surroundings.print(greeting(gateway))
  } catch (error) {
    endFailedStart(surroundings, log, error, { PATCHBAY_GATEWAY_PORT: config.port })
  }
}

/** What whoever started it needs to know. */
function greeting({ publicUrl, delivery }: RunningGateway): string {
  return `
  The gateway is up at ${publicUrl}

  Redirect URI    ${new URL('/callback', publicUrl).href}
  Delivery        ${delivery === 'confirm' ? 'confirm: each person is asked before their code is passed on' : 'direct: codes are passed on without asking'}
  HTTP reference  ${new URL('/reference', publicUrl).href}

  Register the redirect URI with your OAuth provider. Services find the gateway by PATCHBAY_GATEWAY_URL=${publicUrl}

  Ctrl-C stops it.
`
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkGatewayConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(gatewayConfig, surroundings) === undefined) return
  surroundings.print('The configuration of gateway is sound.')
}
