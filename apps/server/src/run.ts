import { systemClock } from '@patchbay/kernel/clock'
import { Lifecycle, readConfigOrExit, runUntilSignal, type Surroundings } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig } from './config.ts'
import { startServer } from './server.ts'

/** The whole process: configuration in, a listening server out, until a signal ends it. */
export async function runServer(surroundings: Surroundings): Promise<void> {
  const config = readConfigOrExit(serverConfig, surroundings)
  if (config === undefined) return
  const node = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({ level: config.logLevel, process: 'server', node })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  try {
    const { createSecret } = surroundings
    const server = await startServer({ config, log, clock: systemClock, node, lifecycle, createSecret })
    await server.prepared
  } catch (error) {
    log.fatal({ err: error }, 'cannot start')
    surroundings.host.exit(1)
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkServerConfig(surroundings: Surroundings): void {
  if (readConfigOrExit(serverConfig, surroundings) === undefined) return
  surroundings.print('The configuration of server is sound.')
}
