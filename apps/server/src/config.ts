import type { Companion } from '@patchbay/contracts/core'
import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import {
  boolean,
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
import { objectsFaults, signInFaults } from './config-conditions.ts'
import { brokerFaults, devicesSettings } from './devices-config.ts'
import { identitySettings } from './identity-config.ts'
import { panelsSettings, proxyFaults } from './panels-config.ts'
import { deliveryFaults, registrySettings, trustFaults } from './registry-config.ts'

const companionUrl = (name: Companion) =>
  withDefault(
    {
      variable: `PATCHBAY_${name.toUpperCase()}_URL`,
      meaning: `Where this node finds the ${name}, to tell on the home page whether it runs.`,
    },
    url(['http', 'https']),
    `http://127.0.0.1:${DEFAULT_PORTS[name]}`,
  )

export const serverConfig = defineConfig({
  process: 'server',
  settings: {
    host: withDefault(
      {
        variable: 'PATCHBAY_HOST',
        meaning: 'The address the server binds. `0.0.0.0` opens it to the network.',
      },
      text,
      '127.0.0.1',
    ),
    port: withDefault(
      { variable: 'PATCHBAY_PORT', meaning: 'The port the server listens on.' },
      port,
      DEFAULT_PORTS.server,
    ),
    publicUrl: optional(
      {
        variable: 'PATCHBAY_PUBLIC_URL',
        meaning:
          'The address people and applications use, as a proxy in front presents it. Unset: `http://localhost` with the port.',
      },
      url(['http', 'https']),
    ),
    allowedHosts: withDefault(
      {
        variable: 'PATCHBAY_ALLOWED_HOSTS',
        meaning:
          'Further host names the server answers for, beside that of the public URL and the loopback names.',
      },
      list(hostName),
      [],
    ),
    crossOrigin: withDefault(
      {
        variable: 'PATCHBAY_CROSS_ORIGIN',
        meaning:
          'Whether pages of any origin may read what needs no credential (feeds, public packages, search) and begin a login. Turn it off where the network decides who may read: pages from elsewhere run in browsers inside it.',
      },
      boolean,
      true,
    ),
    trustedProxies: sharedSettings.trustedProxies,
    databaseUrl: sharedSettings.databaseUrl,
    databasePoolSize: withDefault(
      {
        variable: 'PATCHBAY_DATABASE_POOL_SIZE',
        meaning: 'Connections to PostgreSQL that one node keeps at most.',
      },
      integer({ min: 1, max: 200 }),
      10,
    ),
    redisUrl: sharedSettings.redisUrl,
    objectsUrl: sharedSettings.objectsUrl,
    objectsAccessKeyId: sharedSettings.objectsAccessKeyId,
    objectsSecretAccessKey: sharedSettings.objectsSecretAccessKey,
    gatewayUrl: companionUrl('gateway'),
    watchdogUrl: companionUrl('watchdog'),
    viewerUrl: companionUrl('viewer'),
    ...identitySettings,
    ...registrySettings,
    ...panelsSettings,
    ...devicesSettings,
    webRoot: optional(
      {
        variable: 'PATCHBAY_WEB_ROOT',
        meaning: 'Folder of the built web app. Unset: the one that `pnpm build` writes.',
      },
      text,
    ),
    nodeName: withDefault(
      {
        variable: 'PATCHBAY_NODE_NAME',
        meaning: 'First part of the node id in logs; a random part is added for each run.',
      },
      text,
      'server',
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
  conditions: (config) => [
    ...objectsFaults(config),
    ...signInFaults(config),
    ...trustFaults(config),
    ...deliveryFaults(config),
    ...proxyFaults(config),
    ...brokerFaults(config),
  ],
})

export type ServerConfig = Values<typeof serverConfig.settings>
