import { systemClock } from '@patchbay/kernel/clock'
import { ConfigError, type Environment, readConfig } from '@patchbay/kernel/config'
import { type Host, Lifecycle, runUntilSignal } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { type ServerConfig, serverConfig } from './config.ts'
import { startServer } from './server.ts'

export interface Surroundings {
  readonly environment: Environment
  readonly host: Host
  /** Distinguishes this run from every other of the same name. */
  readonly runId: string
  readonly printError: (text: string) => void
  readonly print: (text: string) => void
}

/** As sysexits has it: the fault is in the configuration, and starting again will not help. */
const EXIT_CONFIG = 78

/** The whole process: configuration in, a listening server out, until a signal ends it. */
export async function runServer(surroundings: Surroundings): Promise<void> {
  const config = readOrExit(surroundings)
  if (config === undefined) return
  const node = `${config.nodeName}-${surroundings.runId}`
  const log = createLog({ level: config.logLevel, process: 'server', node })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(surroundings.host, lifecycle, log, config.drainSeconds * 1000)
  try {
    const server = await startServer({ config, log, clock: systemClock, node, lifecycle })
    await server.prepared
  } catch (error) {
    log.fatal({ err: error }, 'cannot start')
    surroundings.host.exit(1)
  }
}

/** Says whether the configuration is sound, and starts nothing. */
export function checkServerConfig(surroundings: Surroundings): void {
  if (readOrExit(surroundings) !== undefined) surroundings.print('The configuration of server is sound.')
}

function readOrExit({ environment, printError, host }: Surroundings): ServerConfig | undefined {
  try {
    return readConfig(serverConfig, environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    printError(error.message)
    host.exit(EXIT_CONFIG)
    return undefined
  }
}
