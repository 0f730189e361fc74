import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import { WebSocket } from 'ws'
import type { Proxy } from './proxy.ts'
import type { Seen } from './upstream.ts'

interface Asked {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** Asks through TLS, as a client that found the proxy under its public name. */
export async function ask(proxy: Proxy, path: string, asked: Asked = {}): Promise<Answer> {
  return readAnswer(await open(proxy, path, asked))
}

/** What the node behind the proxy saw of a request. */
export async function askSeen(proxy: Proxy, path: string, asked: Asked = {}): Promise<Seen> {
  const { text } = await ask(proxy, path, asked)
  const seen: Seen = JSON.parse(text)
  return seen
}

export async function askPlain(proxy: Proxy, path: string): Promise<Answer> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: proxy.httpPort,
    path,
    headers: { host: proxy.host },
    agent: false,
  })
  return readAnswer(await send(request))
}

/** The first bytes of an answer that does not end. */
export async function readFirstChunk(proxy: Proxy, path: string, deadlineMs: number): Promise<string> {
  const response = await open(proxy, path, {})
  try {
    const [chunk] = await once(response, 'data', { signal: AbortSignal.timeout(deadlineMs) })
    return String(chunk)
  } finally {
    response.destroy()
  }
}

export async function echo(proxy: Proxy, text: string): Promise<string> {
  const socket = await openSocket(proxy, '/ws')
  try {
    socket.send(text)
    const [data] = await once(socket, 'message', { signal: AbortSignal.timeout(5_000) })
    return String(data)
  } finally {
    socket.terminate()
  }
}

export async function openSocket(
  proxy: Proxy,
  path: string,
  headers: Record<string, string> = {},
): Promise<WebSocket> {
  const socket = new WebSocket(`wss://127.0.0.1:${proxy.httpsPort}${path}`, {
    ...tls(proxy),
    headers: { host: proxy.host, ...headers },
    handshakeTimeout: 10_000,
  })
  await once(socket, 'open')
  return socket
}

function open(
  proxy: Proxy,
  path: string,
  { method = 'GET', headers = {}, body }: Asked,
): Promise<IncomingMessage> {
  const request = httpsRequest({
    ...tls(proxy),
    host: '127.0.0.1',
    port: proxy.httpsPort,
    path,
    method,
    headers: { host: proxy.host, ...headers },
    agent: new Agent({ maxCachedSessions: 0 }),
  })
  return send(request, body)
}

function tls({ certificate, host }: Proxy): Pick<RequestOptions, 'ca' | 'servername'> {
  return { ca: certificate, servername: host }
}

async function send(
  request: ReturnType<typeof httpRequest>,
  body?: string | Uint8Array,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request.setTimeout(30_000, () => request.destroy(new Error('no answer within 30 s')))
  request.on('response', resolve).on('error', reject).end(body)
  return promise
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
