import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

export interface FaultServer extends AsyncDisposable {
  readonly origin: string
  readonly requests: SeenRequest[]
  /** By path. */
  readonly handlers: Map<string, Handler>
  /** A file that is served as it should be, with ETag and 304. */
  serve(path: string, body: string | Uint8Array, headers?: Record<string, string>): void
  seen(path: string): SeenRequest[]
}

/** A real server on this machine that does what it is told, and nothing of it well unless told so. */
export async function startFaultServer(): Promise<FaultServer> {
  const requests: SeenRequest[] = []
  const handlers = new Map<string, Handler>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    requests.push({ path, headers: request.headers })
    const handler = handlers.get(path)
    if (handler === undefined) response.writeHead(404).end()
    else Promise.resolve(handler(request, response)).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    handlers,
    seen: (path) => requests.filter((request) => request.path === path),
    serve(path, body, headers = {}) {
      const etag = `"${Buffer.from(path).toString('hex')}-${Buffer.byteLength(body)}-${handlers.size}-${requests.length}"`
      handlers.set(path, (request, response) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
        else {
          const length = { 'content-length': Buffer.byteLength(body) }
          response
            .writeHead(200, { 'content-type': 'application/octet-stream', etag, ...length, ...headers })
            .end(body)
        }
      })
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
