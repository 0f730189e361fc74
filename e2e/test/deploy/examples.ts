import { startCaddyExample, startGatewayCaddy, startPagesCaddy } from './caddy-example.ts'
import { isInstalled } from './commands.ts'
import { startGatewayNginx, startNginxExample, startPagesNginx } from './nginx-example.ts'
import type { Substitution } from './proxy.ts'

/** Contributors need no Caddy: where it is missing its tests are shown as skipped. */
export const noCaddy = !isInstalled('caddy')

/** How long an example looks for a node that answers is cut, for tests in which there is none. */
const NGINX_GIVES_UP: readonly Substitution[] = []
const CADDY_GIVES_UP: readonly Substitution[] = [['lb_try_duration 2s', 'lb_try_duration 100ms']]
const GATEWAY_CADDY_GIVES_UP: readonly Substitution[] = [['lb_try_duration 5s', 'lb_try_duration 100ms']]

export const EXAMPLES = [
  { name: 'nginx', start: startNginxExample, missing: false, givesUp: NGINX_GIVES_UP },
  { name: 'Caddy', start: startCaddyExample, missing: noCaddy, givesUp: CADDY_GIVES_UP },
]

/** The same programs with the files for the gateway. */
export const GATEWAY_EXAMPLES = [
  { name: 'nginx', start: startGatewayNginx, missing: false, givesUp: NGINX_GIVES_UP },
  { name: 'Caddy', start: startGatewayCaddy, missing: noCaddy, givesUp: GATEWAY_CADDY_GIVES_UP },
]

/** And with those for pages through the proxy. */
export const PAGES_EXAMPLES = [
  { name: 'nginx', start: startPagesNginx, missing: false, givesUp: NGINX_GIVES_UP },
  { name: 'Caddy', start: startPagesCaddy, missing: noCaddy, givesUp: CADDY_GIVES_UP },
]
