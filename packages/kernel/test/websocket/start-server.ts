import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { type ClientOptions, WebSocket } from 'ws'
import { createLog } from '../../src/log/index.ts'
import { attachWebSockets, type WebSocketOptions, type WebSockets } from '../../src/websocket/index.ts'

export interface TestServer extends AsyncDisposable {
  readonly port: number
  readonly http: Server
  readonly sockets: WebSockets
  /** Lines that were logged, as objects. */
  readonly lines: Record<string, unknown>[]
  /** A client that is open. */
  open(path?: string, options?: ClientOptions): Promise<WebSocket>
  /** A client of any state, closed at the end like all others. */
  dial(path?: string, options?: ClientOptions): WebSocket
  /** A TCP connection that has sent nothing yet. */
  tcp(): Promise<Socket>
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server on a free port, with a registry attached. */
export async function startServer(
  options: Partial<WebSocketOptions> = {},
  handler: Handler = (_, response) => response.end('plain'),
): Promise<TestServer> {
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    level: 'debug',
    process: 'test',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  })
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  const sockets = attachWebSockets(server, {
    log,
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    ...options,
  })
  const clients = new Set<WebSocket>()
  const raws = new Set<Socket>()

  const dial = (path = '/echo', clientOptions: ClientOptions = {}) => {
    const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      perMessageDeflate: false,
      ...clientOptions,
    })
    client.on('error', () => {})
    clients.add(client)
    return client
  }
  return {
    port,
    http: server,
    sockets,
    lines,
    dial,
    async open(path, clientOptions) {
      const client = dial(path, clientOptions)
      await new Promise((resolve, reject) => client.once('open', resolve).once('error', reject))
      return client
    },
    async tcp() {
      const socket = connectTcp(port, '127.0.0.1')
      raws.add(socket)
      socket.on('error', () => {})
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      return socket
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.terminate()
      for (const socket of raws) socket.destroy()
      await sockets.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The close event of a client. */
export function closed(client: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) =>
    client.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
}

/** The next text message of a client. */
export function nextText(client: WebSocket): Promise<string> {
  return new Promise((resolve) => client.once('message', (data: Buffer) => resolve(data.toString())))
}
