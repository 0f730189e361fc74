import { createServer, type IncomingHttpHeaders } from 'node:http'
import { WebSocketServer } from 'ws'

export interface Upstream extends AsyncDisposable {
  readonly port: number
  /** How many TCP connections were made to it. */
  connections(): number
}

/**
 * What a node looks like from a proxy: it echoes headers, streams events and echoes WebSocket messages. With `?at-once` it
 * refuses without having read the body, with `?after=ms` it is silent for so long before it answers.
 */
export async function startUpstream(): Promise<Upstream> {
  let connections = 0
  const server = createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      response.write('data: first\n\n')
      // The stream stays open: a proxy that waits for the end passes nothing on.
      return
    }
    const { searchParams } = new URL(request.url ?? '', 'http://node')
    if (searchParams.has('at-once')) {
      response.writeHead(401).end()
      return
    }
    const seen: Seen = { url: request.url ?? '', headers: request.headers, bytes: 0 }
    request.on('data', (chunk: Buffer) => {
      seen.bytes += chunk.length
    })
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      setTimeout(() => response.end(JSON.stringify(seen)), Number(searchParams.get('after') ?? 0))
    })
  })
  server.on('connection', () => {
    connections += 1
  })
  const sockets = new WebSocketServer({ server, path: '/ws' })
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => socket.send(data, { binary: false }))
    // Caddy 2.6 forgets to mask the frame with which it takes leave when it stops, which is no fault of a test.
    socket.on('error', () => socket.terminate())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    port: address.port,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Seen {
  url: string
  headers: IncomingHttpHeaders
  bytes: number
}
