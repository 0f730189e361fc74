import { isIP, Socket } from 'node:net'
import { buildConnector } from 'undici'
import type { Connector } from './ports.ts'

const CONNECT_MS = 5000
const MOST_ATTEMPTS = 4

/** HTTP/1.1 alone: its parser is the one whose limits are set here. Sessions are not kept, like connections. */
export const connectDirectly: Connector = buildConnector({
  allowH2: false,
  maxCachedSessions: 0,
  timeout: CONNECT_MS,
})

export interface Dial {
  /** The host of the URL, for the name in TLS. */
  readonly host: string
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

/** A connector that goes to these addresses, one after the other, whatever it is asked for. */
export function createDialer(connect: Connector, { host, addresses, signal }: Dial): Connector {
  return ({ host: authority, port, protocol }, callback) => {
    // Without TLS a server name would be taken for a name to resolve.
    const name = protocol === 'https:' && isIP(host) === 0 ? { servername: host } : {}
    const target = { port, protocol, ...name, ...(authority === undefined ? {} : { host: authority }) }
    const attempt = ([address = '', ...others]: readonly string[]) => {
      try {
        const socket: unknown = connect({ ...target, hostname: address }, (...result) => {
          if (result[0] === null || others.length === 0 || signal.aborted) callback(...result)
          else attempt(others)
        })
        if (socket instanceof Socket) closeAtEnd(socket, signal)
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), null)
      }
    }
    attempt(addresses.slice(0, MOST_ATTEMPTS))
  }
}

/** The client closes a connection only once it has it: a handshake that hangs would go on until its own timeout. */
function closeAtEnd(socket: Socket, signal: AbortSignal): void {
  const close = () => socket.destroy(new Error('no longer needed'))
  signal.addEventListener('abort', close)
  socket.once('close', () => signal.removeEventListener('abort', close))
}
