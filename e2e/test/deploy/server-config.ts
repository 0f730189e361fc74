import { type Environment, readConfig } from '@patchbay/kernel/config'
import { serverConfig } from '@patchbay/server'
import { GATEWAY_VARIABLES } from './gateway-config.ts'

/**
 * What the server itself says of an environment: the values, or a `ConfigError` with every fault. Of the gateway's
 * variables only those count as known that the image, which serves both, sets.
 */
export function readServerConfig(environment: Environment, image: Environment = {}) {
  const alsoKnown = GATEWAY_VARIABLES.filter((name) => name in image)
  return readConfig(serverConfig, { ...image, ...environment }, alsoKnown)
}

/** How long the server takes to stop at most, unless it is told otherwise. */
export const DRAIN_SECONDS = serverConfig.settings.drainSeconds.fallback ?? Number.NaN
export const SERVER_PORT = serverConfig.settings.port.fallback ?? Number.NaN
/** Of pages through the proxy. */
export const PAGES_PORT = serverConfig.settings.proxyPort.fallback ?? Number.NaN
/** What the server takes unless it is told otherwise. */
export const LARGEST_ARCHIVE_BYTES = (serverConfig.settings.maxArchiveMb.fallback ?? Number.NaN) * 1024 * 1024
/** How many archives may wait in the spool at once, as its setting says. */
export const ARCHIVES_AT_ONCE = Number(
  /(\d+) of the largest archives must fit/.exec(serverConfig.settings.spoolFolder.meaning)?.[1],
)
