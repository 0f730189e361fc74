import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { rebaseFiles } from './rebase-files.ts'
import { findServed, type ServedFile } from './served-file.ts'

export interface ServeOptions {
  readonly port: number
  /** Default: this machine alone. */
  readonly host?: string
  readonly onRequest?: (request: { readonly path: string; readonly status: number }) => void
}

export interface ServedRepository extends AsyncDisposable {
  /** Of repository.json. */
  readonly url: string
  /** The folder was built for another address: addresses, and so hashes and signatures, differ from the files. */
  readonly isRebased: boolean
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** A repository to try out before it is published. No server for the open internet. */
export async function serveRepository(folder: string, options: ServeOptions): Promise<ServedRepository> {
  const { host = LOOPBACK, port, onRequest } = options
  let base = ''
  const server = createServer((request, response) => {
    response.on('finish', () => onRequest?.({ path: request.url ?? '', status: response.statusCode }))
    answer(request, response, resolve(folder), base, host).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  base = baseOf(server, host)
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const { isRebased } = await rebaseFiles(folder, base)
  return { url: `${base}repository.json`, isRebased, close, [Symbol.asyncDispose]: close }
}

function baseOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  base: string,
  host: string,
): Promise<void> {
  response.setHeader('x-content-type-options', 'nosniff')
  // A page of a stranger whose name leads to this machine must not read what is tried out here.
  if (isLoopback(host) && !isLoopback(nameIn(request.headers.host))) {
    response.writeHead(421).end()
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  const file = await findServed(folder, base, request.url ?? '/')
  if (file === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n')
  else await send(request, response, file)
}

function nameIn(header = ''): string {
  return header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

function isLoopback(host: string): boolean {
  return /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(host)
}

async function send(request: IncomingMessage, response: ServerResponse, file: ServedFile): Promise<void> {
  const { etag, type, size, content } = file
  const headers = { etag, 'cache-control': 'no-cache' }
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((text) => text.trim().replace(/^W\//, ''))
  if (known.includes(etag) || known.includes('*')) {
    response.writeHead(304, headers).end()
    return
  }
  response.writeHead(200, { ...headers, 'content-type': type, 'content-length': size })
  if (request.method === 'HEAD' || size === 0) response.end()
  else if (typeof content === 'string') await pipeline(createReadStream(content, { end: size - 1 }), response)
  else response.end(content)
}
