import { type Environment, readConfig } from '@patchbay/kernel/config'
import { serverConfig } from '@patchbay/server'

/** What the server itself says of an environment: the values, or a `ConfigError` with every fault. */
export function readServerConfig(environment: Environment) {
  return readConfig(serverConfig, environment)
}

/** How long the server takes to stop at most, unless it is told otherwise. */
export const DRAIN_SECONDS = serverConfig.settings.drainSeconds.fallback ?? Number.NaN
export const SERVER_PORT = serverConfig.settings.port.fallback ?? Number.NaN
