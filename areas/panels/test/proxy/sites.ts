import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect as dial, isIP } from 'node:net'
import { type Connector, createOutbound, type Lookup, type Outbound } from '@patchbay/kernel/outbound'

export interface Site extends AsyncDisposable {
  readonly port: number
  /** What it was asked, as it came. */
  readonly requests: readonly IncomingMessage[]
  /** Under a name that browsers and the tests' resolver take for this machine. */
  at(name: string, path?: string): string
}

/** Somebody's web server. */
export async function startSite(handler: RequestListener): Promise<Site> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    at: (name, path = '/') => `http://${name}.localhost:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function servePage(body: string, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  }
}

export interface WayOut {
  readonly outbound: Outbound
  /** Every address that was dialled. */
  readonly dialled: string[]
}

/** Dials loopback for real and nothing else, whatever the guard lets through; writes down what it was asked for. */
export function openLoopback(lookup: Lookup = lookUpLocalhost): WayOut {
  const dialled: string[] = []
  const connect: Connector = ({ hostname, port }, callback) => {
    dialled.push(hostname)
    if (isIP(hostname) !== 4 || !hostname.startsWith('127.')) throw new Error(`dialled ${hostname}`)
    const socket = dial({ host: hostname, port: Number(port) })
    socket.once('connect', () => callback(null, socket)).once('error', (error) => callback(error, null))
    return socket
  }
  const outbound = createOutbound({
    userAgent: 'patchbay-test',
    allowedNetworks: ['127.0.0.1'],
    connect,
    lookup,
  })
  return { outbound, dialled }
}

/** As on the internet: nothing is allowed beyond public addresses, and nothing is dialled at all. */
export function recordDials(lookup: Lookup): WayOut {
  const dialled: string[] = []
  const connect: Connector = ({ hostname }, callback) => {
    dialled.push(hostname)
    queueMicrotask(() => callback(new Error('nothing is dialled in this test'), null))
  }
  return { outbound: createOutbound({ userAgent: 'patchbay-test', connect, lookup }), dialled }
}

export const lookUpLocalhost: Lookup = async (name) => (name.endsWith('.localhost') ? ['127.0.0.1'] : [])
