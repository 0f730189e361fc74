import { isIP } from 'node:net'
import { DEFAULT_PORTS } from '@patchbay/contracts'
import { parseRedisUrl } from '@patchbay/kernel/bus'
import {
  choice,
  defineConfig,
  integer,
  type Kind,
  list,
  optional,
  port,
  required,
  secretText,
  secretUrl,
  text,
  url,
  type Values,
  withDefault,
} from '@patchbay/kernel/config'
import { parseHost } from '@patchbay/kernel/http'
import { Secret } from '@patchbay/kernel/log'
import { parseObjectsUrl } from '@patchbay/kernel/objects'

const hostName: Kind<string> = {
  accepts: 'host name, with or without a port',
  parse: (value) => {
    if (parseHost(value) === undefined) throw new Error(`"${value}" is not a host name`)
    return value
  },
}

const network: Kind<string> = {
  accepts: 'address or network such as `10.0.0.0/8`',
  parse: (value) => {
    const [address = '', prefix] = value.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    const sound = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
    if (isIP(address) === 0 || !sound) throw new Error(`"${value}" is neither an address nor a network`)
    return value
  },
}

const redisUrl: Kind<Secret> = {
  accepts: 'URL (`redis://`, `redis+sentinel://`, `redis+cluster://`, each also as `rediss`), kept secret',
  secret: true,
  parse: (value) => {
    parseRedisUrl(value)
    return new Secret(value)
  },
}

const objectsLocation: Kind<string> = {
  accepts: 'URL (`file://`, `s3://`)',
  parse: (value) => {
    parseObjectsUrl(value)
    return value
  },
}

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
    trustedProxies: withDefault(
      {
        variable: 'PATCHBAY_TRUSTED_PROXIES',
        meaning:
          'Addresses and networks (CIDR) of proxies whose `X-Forwarded-*` and `X-Request-Id` are believed.',
      },
      list(network),
      [],
    ),
    databaseUrl: required(
      { variable: 'DATABASE_URL', meaning: 'PostgreSQL 15 or newer, the durable truth.' },
      secretUrl(['postgres', 'postgresql']),
    ),
    databasePoolSize: withDefault(
      {
        variable: 'PATCHBAY_DATABASE_POOL_SIZE',
        meaning: 'Connections to PostgreSQL that one node keeps at most.',
      },
      integer({ min: 1, max: 200 }),
      10,
    ),
    redisUrl: optional(
      {
        variable: 'REDIS_URL',
        meaning:
          'Redis 7 or Valkey 8: standalone, Sentinel or Cluster. Needed as soon as there are two nodes.',
      },
      redisUrl,
    ),
    objectsUrl: optional(
      {
        variable: 'PATCHBAY_OBJECTS_URL',
        meaning:
          'Where archives and pictures are kept: a folder (`file:///var/lib/patchbay/objects`) or a bucket (`s3://bucket/prefix?endpoint=…&region=…`). Unset: `.patchbay/objects` below the working folder.',
      },
      objectsLocation,
    ),
    objectsAccessKeyId: optional(
      { variable: 'PATCHBAY_OBJECTS_ACCESS_KEY_ID', meaning: 'Access key of the bucket.' },
      text,
    ),
    objectsSecretAccessKey: optional(
      { variable: 'PATCHBAY_OBJECTS_SECRET_ACCESS_KEY', meaning: 'Secret key of the bucket.' },
      secretText,
    ),
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
    logLevel: withDefault(
      {
        variable: 'PATCHBAY_LOG_LEVEL',
        meaning: 'How much is logged. Requests that succeed are logged at `debug`.',
      },
      choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
      'info',
    ),
    metricsToken: optional(
      {
        variable: 'PATCHBAY_METRICS_TOKEN',
        meaning: 'Bearer token for `/metrics`. Unset: only loopback peers that are no proxy may read it.',
      },
      secretText,
    ),
    drainSeconds: withDefault(
      { variable: 'PATCHBAY_DRAIN_SECONDS', meaning: 'How long a stopping node finishes what is in flight.' },
      integer({ min: 1, max: 300 }),
      30,
    ),
  },
  conditions: ({ objectsUrl, objectsAccessKeyId, objectsSecretAccessKey }) => {
    if (objectsUrl?.startsWith('s3:') !== true) return []
    const missing = [
      ...(objectsAccessKeyId === undefined ? ['PATCHBAY_OBJECTS_ACCESS_KEY_ID'] : []),
      ...(objectsSecretAccessKey === undefined ? ['PATCHBAY_OBJECTS_SECRET_ACCESS_KEY'] : []),
    ]
    return missing.map((variable) => ({
      variable,
      wrong: 'is not set, but PATCHBAY_OBJECTS_URL names a bucket',
    }))
  },
})

export type ServerConfig = Values<typeof serverConfig.settings>
