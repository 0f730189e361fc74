import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { AbstractConnector, type RedisOptions, SentinelConnector } from 'ioredis'

/**
 * A TLS socket that is closed during its handshake with an untrusted server emits two errors. The driver listens
 * for one: the other would end the process. The driver has heard what matters by then.
 */
function survive<Stream extends Socket>(stream: Stream): Stream {
  return stream.on('error', () => undefined)
}

export class DirectConnector extends AbstractConnector {
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

export class MasterConnector extends SentinelConnector {
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
