import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import {
  boolean,
  choice,
  defineConfig,
  hostName,
  integer,
  list,
  optional,
  port,
  secretText,
  text,
  url,
  type Values,
  withDefault,
} from '@patchbay/kernel/config'
import { isLoopbackHost } from '@patchbay/kernel/http'

export const watchdogConfig = defineConfig({
  process: 'watchdog',
  settings: {
    host: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_HOST',
        meaning:
          'The address the watchdog binds. Whoever reaches it can stop the gateway: off loopback a token is needed.',
      },
      text,
      '127.0.0.1',
    ),
    port: withDefault(
      { variable: 'PATCHBAY_WATCHDOG_PORT', meaning: 'The port the watchdog listens on.' },
      port,
      DEFAULT_PORTS.watchdog,
    ),
    token: optional(
      {
        variable: 'PATCHBAY_WATCHDOG_TOKEN',
        meaning:
          'Bearer token for everything but `/health`, `/ready` and the pages at `/problems`. Unset: none is asked for, which is allowed on loopback only.',
      },
      secretText,
    ),
    allowedHosts: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_ALLOWED_HOSTS',
        meaning:
          'Further host names the watchdog answers for, beside the address it binds and the loopback names.',
      },
      list(hostName),
      [],
    ),
    gatewayPort: withDefault(
      { variable: 'PATCHBAY_GATEWAY_PORT', meaning: 'The port the gateway listens on.' },
      port,
      DEFAULT_PORTS.gateway,
    ),
    gatewayUrl: optional(
      {
        variable: 'PATCHBAY_WATCHDOG_GATEWAY_URL',
        meaning:
          'Where the gateway listens on this machine; its `/health` is asked every 10 s. Unset: `http://127.0.0.1` with the port of the gateway.',
      },
      url(['http']),
    ),
    stateDir: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_STATE_DIR',
        meaning:
          'Folder for the pid file, the restart count, the last exit and what was switched. One watchdog per folder.',
      },
      text,
      '.patchbay/watchdog',
    ),
    autoRestart: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_AUTO_RESTART',
        meaning:
          'Whether the gateway is restarted when it fails, until somebody switches it; a switch is remembered.',
      },
      boolean,
      true,
    ),
    drainSeconds: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_DRAIN_SECONDS',
        meaning:
          'How long a gateway that is told to stop may drain before its process group is killed. Longer than its own drain.',
      },
      integer({ min: 1, max: 300 }),
      35,
    ),
    leaveRunning: withDefault(
      {
        variable: 'PATCHBAY_WATCHDOG_LEAVE_RUNNING',
        meaning:
          'Whether a watchdog that is told to stop leaves the gateway running for the next one to adopt.',
      },
      boolean,
      false,
    ),
    logLevel: withDefault(
      { variable: 'PATCHBAY_WATCHDOG_LOG_LEVEL', meaning: 'How much the watchdog logs.' },
      choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
      'info',
    ),
  },
  conditions: ({ host, token, gatewayUrl, gatewayPort }) => [
    ...(isLoopbackHost(host) || token !== undefined
      ? []
      : [
          {
            variable: 'PATCHBAY_WATCHDOG_TOKEN',
            wrong: `is not set, but PATCHBAY_WATCHDOG_HOST (${host}) can be reached from elsewhere`,
            meaning: 'Without a token anybody who reaches it could stop the gateway.',
          },
        ]),
    ...(gatewayUrl === undefined && gatewayPort === 0
      ? [
          {
            variable: 'PATCHBAY_GATEWAY_PORT',
            wrong: 'is 0, so that nobody knows where to ask the gateway for its health',
          },
        ]
      : []),
  ],
})

export type WatchdogConfig = Values<typeof watchdogConfig.settings>

/** What a gateway with the same environment listens on, unless it is said. */
export function gatewayUrlOf({ gatewayUrl, gatewayPort }: WatchdogConfig): string {
  return gatewayUrl ?? `http://127.0.0.1:${gatewayPort}`
}
