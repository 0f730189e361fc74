import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIP, type Server as NetServer, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import {
  type Connector,
  createOutbound,
  type Outbound,
  type OutboundOptions,
  OutboundRefused,
} from '../../src/outbound/index.ts'

export const LIMITS = { maxBytes: 1_000_000, deadlineMs: 5000 }
export const LOOPBACK = ['127.0.0.0/8']

export interface Dialled {
  readonly hostname: string
  readonly port: string
  readonly servername: string | undefined
}

/** Writes down what would have been dialled, and dials nothing. */
export function recordDials() {
  const dialled: Dialled[] = []
  const connect: Connector = ({ hostname, port, servername }, callback) => {
    dialled.push({ hostname, port, servername })
    queueMicrotask(() => callback(new Error('nothing is dialled in this test'), null))
  }
  return { dialled, connect }
}

/** Dials loopback for real, and throws for anything else: no test may ever leave this machine. */
export function dialLoopback(options: buildConnector.BuildOptions = {}) {
  const real = buildConnector({ allowH2: false, maxCachedSessions: 0, ...options })
  const dialled: string[] = []
  const connect: Connector = (target, callback) => {
    dialled.push(target.hostname)
    if (isIP(target.hostname) !== 4 || !target.hostname.startsWith('127.'))
      throw new Error(`dialled ${target.hostname}`)
    // The socket is handed on, as the connector that is used without a test does.
    return real(target, callback)
  }
  return { dialled, connect }
}

/** May reach loopback, and knows the names that a test gives it. */
export function openOutbound(
  names: Record<string, readonly string[]> = {},
  options: Partial<OutboundOptions> = {},
) {
  return createOutbound({
    userAgent: 'patchbay-test',
    allowedNetworks: LOOPBACK,
    connect: dialLoopback().connect,
    lookup: async (name) => names[name] ?? [],
    ...options,
  })
}

export async function refusal(promise: Promise<unknown>): Promise<OutboundRefused> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof OutboundRefused) return error
  throw new Error('expected a refusal', { cause: error })
}

export async function reasonOf(outbound: Outbound, url: string): Promise<string> {
  return (await refusal(outbound.open(url, LIMITS))).reason
}

export async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString()
}

export async function listen(server: NetServer) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

export async function serve(handler: RequestListener, server: Server = createServer()) {
  const requests: IncomingMessage[] = []
  server.on('request', (request: IncomingMessage) => requests.push(request)).on('request', handler)
  const listening = await listen(server)
  return { ...listening, requests, url: `http://127.0.0.1:${listening.port}` }
}
