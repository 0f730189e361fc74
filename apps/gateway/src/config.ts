import { DELIVERY_MODES } from '@patchbay/contracts/gateway'
import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import {
  choice,
  defineConfig,
  hostName,
  integer,
  list,
  optional,
  port,
  sharedSettings,
  text,
  url,
  type Values,
  withDefault,
} from '@patchbay/kernel/config'
import { isForThisMachine } from './public-url.ts'

export const gatewayConfig = defineConfig({
  process: 'gateway',
  settings: {
    host: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_HOST',
        meaning: 'The address the gateway binds. `0.0.0.0` opens it to the network.',
      },
      text,
      '127.0.0.1',
    ),
    port: withDefault(
      { variable: 'PATCHBAY_GATEWAY_PORT', meaning: 'The port the gateway listens on.' },
      port,
      DEFAULT_PORTS.gateway,
    ),
    publicUrl: optional(
      {
        variable: 'PATCHBAY_GATEWAY_PUBLIC_URL',
        meaning:
          'The address that providers send people back to, without `/callback`. Unset: `http://localhost` with the port.',
      },
      url(['http', 'https']),
    ),
    delivery: optional(
      {
        variable: 'PATCHBAY_GATEWAY_DELIVERY',
        meaning:
          '`direct` hands a code over at once; `confirm` asks the person first, so that nobody can be sent here with a state of an attacker. Unset: `direct` when public URL and bound address are loopback ones; otherwise it must be set.',
      },
      choice(DELIVERY_MODES),
    ),
    allowedHosts: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_ALLOWED_HOSTS',
        meaning:
          'Further host names the gateway answers for, beside that of its public URL and the loopback names.',
      },
      list(hostName),
      [],
    ),
    allowedOrigins: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_ALLOWED_ORIGINS',
        meaning: 'Web origins whose pages may open a WebSocket. Programs send none and need not be listed.',
      },
      list(url(['http', 'https'])),
      [],
    ),
    trustedProxies: sharedSettings.trustedProxies,
    redisUrl: sharedSettings.redisUrl,
    connections: withDefault(
      { variable: 'PATCHBAY_GATEWAY_CONNECTIONS', meaning: 'Connections one node holds at most.' },
      integer({ min: 1, max: 1_000_000 }),
      100_000,
    ),
    connectionsPerAddress: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_CONNECTIONS_PER_ADDRESS',
        meaning: 'Connections one node accepts from one address at most.',
      },
      integer({ min: 1, max: 1_000_000 }),
      200,
    ),
    registrationsPerAddress: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_REGISTRATIONS_PER_ADDRESS',
        meaning: 'Registrations one node accepts from one address at most.',
      },
      integer({ min: 1, max: 1_000_000 }),
      1_000,
    ),
    registerSeconds: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_REGISTER_SECONDS',
        meaning: 'A connection without a registration is closed after this long.',
      },
      integer({ min: 1, max: 3_600 }),
      10,
    ),
    nodeName: withDefault(
      {
        variable: 'PATCHBAY_GATEWAY_NODE_NAME',
        meaning:
          'First part of the node id in logs; a random part is added for each run. Short: Redis keeps it with every registration.',
      },
      text,
      'gw',
    ),
    instance: optional(
      {
        variable: 'PATCHBAY_GATEWAY_INSTANCE',
        meaning: 'Set by the watchdog, which knows its own child by it in `/health`.',
      },
      text,
    ),
    logLevel: sharedSettings.logLevel,
    metricsToken: sharedSettings.metricsToken,
    traceEndpoint: sharedSettings.traceEndpoint,
    traceHeaders: sharedSettings.traceHeaders,
    traceRatio: sharedSettings.traceRatio,
    trustsTraceparent: sharedSettings.trustsTraceparent,
    drainSeconds: sharedSettings.drainSeconds,
    drainAnnounceSeconds: sharedSettings.drainAnnounceSeconds,
  },
  conditions: (values) => {
    if (values.delivery !== undefined || isForThisMachine(values)) return []
    return [
      {
        variable: 'PATCHBAY_GATEWAY_DELIVERY',
        wrong:
          'is not set, but the public URL or the address it binds is not a loopback one, so strangers can reach this gateway. ' +
          'Choose `confirm`, which asks the person before a code is handed over, or `direct`, which does not: with ' +
          '`direct` an attacker can send somebody a link that connects their account to the attacker’s application.',
      },
    ]
  },
})

export type GatewayConfig = Values<typeof gatewayConfig.settings>
