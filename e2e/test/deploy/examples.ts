import { startCaddyExample, startGatewayCaddy, startPagesCaddy } from './caddy-example.ts'
import { isInstalled } from './commands.ts'
import { startGatewayNginx, startNginxExample, startPagesNginx } from './nginx-example.ts'

/** Contributors need no Caddy: where it is missing its tests are shown as skipped. */
export const noCaddy = !isInstalled('caddy')

export const EXAMPLES = [
  { name: 'nginx', start: startNginxExample, missing: false },
  { name: 'Caddy', start: startCaddyExample, missing: noCaddy },
]

/** The same programs with the files for the gateway. */
export const GATEWAY_EXAMPLES = [
  { name: 'nginx', start: startGatewayNginx, missing: false },
  { name: 'Caddy', start: startGatewayCaddy, missing: noCaddy },
]

/** And with those for pages through the proxy. */
export const PAGES_EXAMPLES = [
  { name: 'nginx', start: startPagesNginx, missing: false },
  { name: 'Caddy', start: startPagesCaddy, missing: noCaddy },
]
