import { Secret } from '../log/index.ts'
import { parseObjectsUrl } from '../objects/location.ts'
import { network, redisUrl } from './network-kinds.ts'
import {
  boolean,
  choice,
  integer,
  type Kind,
  list,
  optional,
  required,
  secretText,
  secretUrl,
  share,
  text,
  url,
  withDefault,
} from './setting.ts'

const objectsLocation: Kind<string> = {
  accepts: 'URL (`file://`, `s3://`)',
  parse: (value) => {
    parseObjectsUrl(value)
    return value
  },
}

/** So that a fault shows at the start, and no part of the text in any fault. */
const headerPairs: Kind<Secret> = {
  ...secretText,
  accepts: '`name=value`, several separated by commas, values percent-encoded; kept secret',
  parse: (value) => {
    const isSound = value.split(',').every((pair) => /^\s*[\w-]+=(?:[^%\s]|%[0-9a-f]{2})+\s*$/i.test(pair))
    if (!isSound) throw new Error('it is no list of name=value')
    return new Secret(value)
  },
}

/** Settings that several processes read from the same variable: described once, so that they cannot drift apart. */
export const sharedSettings = {
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
  redisUrl: optional(
    {
      variable: 'REDIS_URL',
      meaning: 'Redis 7 or Valkey 8: standalone, Sentinel or Cluster. Needed as soon as there are two nodes.',
    },
    redisUrl,
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
  traceEndpoint: optional(
    {
      variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      meaning:
        'Where traces go: an OpenTelemetry receiver that takes OTLP over HTTP as JSON, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Unset: nothing is traced.',
    },
    url(['http', 'https']),
  ),
  traceHeaders: optional(
    {
      variable: 'OTEL_EXPORTER_OTLP_HEADERS',
      meaning: 'What is sent along with traces, such as the key of a service that keeps them.',
    },
    headerPairs,
  ),
  traceRatio: withDefault(
    {
      variable: 'PATCHBAY_TRACE_RATIO',
      meaning:
        'How many of the traces that begin here are kept. At most 100 requests a second are traced on a node.',
    },
    share,
    1,
  ),
  trustsTraceparent: withDefault(
    {
      variable: 'PATCHBAY_TRUST_TRACEPARENT',
      meaning:
        'Whether a request continues the trace that its `traceparent` names, and is kept when that one is. Only where a proxy sets or removes the header: anybody could choose it otherwise. Off: the trace begins here, and links to that one.',
    },
    boolean,
    false,
  ),
  drainSeconds: withDefault(
    { variable: 'PATCHBAY_DRAIN_SECONDS', meaning: 'How long a stopping node finishes what is in flight.' },
    integer({ min: 1, max: 300 }),
    30,
  ),
  drainAnnounceSeconds: withDefault(
    {
      variable: 'PATCHBAY_DRAIN_ANNOUNCE_SECONDS',
      meaning:
        'For how long a stopping node says so at `/ready` and goes on taking sockets, before it refuses them: longer than the interval of a balancer that asks there, such as Caddy. Part of PATCHBAY_DRAIN_SECONDS, and at most a third of it.',
    },
    integer({ min: 0, max: 60 }),
    0,
  ),
}
