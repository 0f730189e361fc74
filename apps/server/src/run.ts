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
import { serverConfig } from './config.ts'
import { type RunningServer, startServer } from './server.ts'

/** The whole process: configuration in, a listening server out, until a signal ends it. */
export async function runServer(surroundings: Surroundings): Promise<void> {
  const config = readConfigOrExit(serverConfig, surroundings)
  if (config === undefined) return
  const node = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({
    level: config.logLevel,
    process: 'server',
    node,
    isReadable: surroundings.isTerminal,
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  try {
    const { createSecret } = surroundings
    const server = await startServer({ config, log, clock: systemClock, node, lifecycle, createSecret })
    await server.prepared
    notifySystemd(surroundings.environment, log)
    if (surroundings.isTerminal === true) surroundings.print(greeting(server))
  } catch (error) {
    const { port, proxyPort } = config
    endFailedStart(surroundings, log, error, { PATCHBAY_PORT: port, PATCHBAY_PROXY_PORT: proxyPort })
  }
}

/** What whoever started it needs to know. */
function greeting({ publicUrl }: RunningServer): string {
  return `
  Patchbay is up. Open ${publicUrl}

  Documentation  ${new URL('/docs/', publicUrl).href}

  Nobody has an account yet? "patchbay admin link" prints a link that makes the first administrator.

  Ctrl-C stops it.
`
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkServerConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(serverConfig, surroundings) === undefined) return
  surroundings.print('The configuration of server is sound.')
}
