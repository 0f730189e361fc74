import { startCaddyExample } from './caddy-example.ts'
import { isInstalled } from './commands.ts'
import { startNginxExample } from './nginx-example.ts'

/** Contributors need no Caddy: where it is missing its tests are shown as skipped. */
export const noCaddy = !isInstalled('caddy')

export const EXAMPLES = [
  { name: 'nginx', start: startNginxExample, missing: false },
  { name: 'Caddy', start: startCaddyExample, missing: noCaddy },
]
