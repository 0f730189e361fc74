import { gatewayConfig } from '@patchbay/gateway-app/config'
import { type Environment, readConfig, type Settings } from '@patchbay/kernel/config'
import { serverConfig } from '@patchbay/server'
import { watchdogConfig } from '@patchbay/watchdog-app/config'

export const GATEWAY_VARIABLES = variablesOf(gatewayConfig)
export const GATEWAY_PORT = gatewayConfig.settings.port.fallback ?? Number.NaN
export const GATEWAY_DRAIN_SECONDS = gatewayConfig.settings.drainSeconds.fallback ?? Number.NaN

/** What the gateway itself says of an environment. Of the server's variables only those of the image count as known. */
export function readGatewayConfig(environment: Environment, image: Environment = {}) {
  const alsoKnown = variablesOf(serverConfig).filter((name) => name in image)
  return readConfig(gatewayConfig, { ...image, ...environment }, alsoKnown)
}

/** What the watchdog says of an environment that it shares with its gateway. */
export function readWatchdogConfig(environment: Environment) {
  return readConfig(watchdogConfig, environment, GATEWAY_VARIABLES)
}

function variablesOf({ settings }: { readonly settings: Settings }): string[] {
  return Object.values(settings).map(({ variable }) => variable)
}
