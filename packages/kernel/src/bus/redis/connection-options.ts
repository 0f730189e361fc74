import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { AbstractConnector, type ClusterOptions, type RedisOptions, SentinelConnector } from 'ioredis'
import type { RedisTarget } from './url.ts'

export interface ConnectionTuning {
  readonly commandTimeoutMs: number
  /** PEM certificates of a private authority, for `rediss…` URLs. */
  readonly ca?: string | undefined
}

/** Named, because the driver's types follow the shape of replies. */
type PlainOptions = RedisOptions & { readonly replyMapping: 'legacy' }
type PlainClusterOptions = ClusterOptions & { readonly redisOptions: { readonly replyMapping: 'legacy' } }

const MAX_BACKOFF_MS = 500

/** Short, because a person waits on the other side, and capped, because recovery is promised within about a second. */
function backoff(attempt: number): number {
  return Math.min(25 * 2 ** Math.min(attempt, 10), MAX_BACKOFF_MS)
}

/**
 * A call that was rejected must not run later: nothing is queued while offline, nothing is sent again.
 * `maxRetriesPerRequest: 0` rejects what was under way as soon as the connection breaks,
 * `socketTimeout` breaks a connection whose server hangs: without it each call would wait out its own timeout
 * while commands pile up in the socket. Subscriptions are restored by `RedisLink`: the driver's own
 * resubscription leaves a rejection unhandled when the connection breaks again.
 */
export function connectionOptions(target: RedisTarget, tuning: ConnectionTuning): PlainOptions {
  const { commandTimeoutMs } = tuning
  return {
    ...login(target),
    ...(target.tls ? { tls: tlsOptions(tuning) } : {}),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    socketTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    disconnectTimeout: 100,
    maxLoadingRetryTime: MAX_BACKOFF_MS,
    disableClientInfo: true,
    connectionName: 'patchbay-bus',
    retryStrategy: backoff,
    Connector: target.kind === 'sentinel' ? MasterConnector : DirectConnector,
    // A master that was demoted while we were connected refuses writes; a new connection finds its successor.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...address(target, tuning),
    replyMapping: 'legacy',
  }
}

function address(target: RedisTarget, tuning: ConnectionTuning): RedisOptions {
  if (target.kind === 'cluster') return {}
  if (target.kind === 'standalone') return { ...target.address, db: target.db }
  return {
    sentinels: target.sentinels.map((sentinel) => ({ ...sentinel })),
    name: target.master,
    db: target.db,
    sentinelRetryStrategy: backoff,
    sentinelCommandTimeout: tuning.commandTimeoutMs,
    ...(target.tls ? { enableTLSForSentinelMode: true, sentinelTLS: tlsOptions(tuning) } : {}),
    ...(target.sentinelLogin
      ? { sentinelUsername: target.username, sentinelPassword: target.password?.reveal() }
      : {}),
  }
}

function login(target: RedisTarget): RedisOptions {
  return { username: target.username, password: target.password?.reveal() }
}

function tlsOptions({ ca }: ConnectionTuning): { ca?: string } {
  return ca === undefined ? {} : { ca }
}

/**
 * The driver's delayed retries are off as well: they would run a command whose caller has been told that it failed.
 * Its ready check is off because it picks a connection that is still opening, fails, and starts all over.
 */
export function clusterOptions(target: RedisTarget, tuning: ConnectionTuning): PlainClusterOptions {
  const { retryStrategy: _, enableOfflineQueue: __, ...shared } = connectionOptions(target, tuning)
  return {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    clusterRetryStrategy: backoff,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: tuning.commandTimeoutMs,
    redisOptions: { ...shared, lazyConnect: false },
    // Certificates name hosts: a lookup would leave only addresses to compare them with.
    ...(target.tls
      ? { dnsLookup: (host: string, done: (error: null, address: string) => void) => done(null, host) }
      : {}),
  }
}

/**
 * A TLS socket that is closed during its handshake with an untrusted server emits two errors. The driver listens
 * for one: the other would end the process. The driver has heard what matters by then.
 */
function survive<Stream extends Socket>(stream: Stream): Stream {
  return stream.on('error', () => undefined)
}

class DirectConnector extends AbstractConnector {
  readonly #options: RedisOptions

  constructor(options: unknown) {
    if (!isOptions(options)) throw new TypeError('a connector needs the options of its client')
    super(options.disconnectTimeout ?? 0)
    this.#options = options
  }

  override async connect(): Promise<Socket | TLSSocket> {
    const { host = '127.0.0.1', port = 6379, tls } = this.#options
    const stream = survive(
      tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, ...tls }),
    )
    stream.once('error', (error) => {
      this.firstError = error
    })
    this.connecting = true
    this.stream = stream
    return stream
  }
}

class MasterConnector extends SentinelConnector {
  constructor(options: unknown) {
    if (!isOptions(options)) throw new TypeError('a connector needs the options of its client')
    super(options)
  }

  override async connect(emit: Parameters<SentinelConnector['connect']>[0]): Promise<Socket | TLSSocket> {
    return survive(await super.connect(emit))
  }
}

/** The driver hands its own options over, but does not say so in its types. */
function isOptions(options: unknown): options is RedisOptions {
  return typeof options === 'object' && options !== null
}
