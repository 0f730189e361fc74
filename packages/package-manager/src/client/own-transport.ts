import { request as requestPlainly, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { mayConnectItself } from './own-connection.ts'
import { OwnSocket } from './own-socket.ts'
import type { HttpResponse, Transport } from './transport.ts'

/**
 * For large files: as `fetch`, for a fraction of its work, over a connection of its own. What it cannot do as well,
 * it leaves to `fetch`.
 */
export function ownTransport(byFetch: Transport): Transport {
  return async (url, question) => {
    if (!mayConnectItself(url)) return byFetch(url, question)
    const { signal, headers } = question
    signal.throwIfAborted()
    const socket = new OwnSocket(url)
    const onAbort = () => socket.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', onAbort))
    try {
      const message = await ask(url, headers, socket)
      // It was asked not to encode. Whoever does it all the same is asked by someone who can read it.
      if (!('content-encoding' in message.headers)) return responseOf(message, socket)
      socket.destroy()
    } catch (error) {
      socket.destroy()
      throw signal.aborted ? signal.reason : new Error('the request failed', { cause: error })
    }
    return byFetch(url, question)
  }
}

function ask(url: URL, headers: Record<string, string>, socket: OwnSocket): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestSecurely : requestPlainly
  const request: ClientRequest = send(url, {
    // Some servers refuse whoever gives no name.
    headers: { 'user-agent': 'node', ...headers, 'accept-encoding': 'identity', connection: 'close' },
    createConnection: () => socket,
  })
  request.on('information', () => socket.readNextHead())
  request.on('response', (message) => {
    // An end that is not the server's is told by the body; here it would be nobody's, and end the process.
    message.on('error', () => undefined)
    resolve(message)
  })
  request.on('error', reject)
  request.end()
  return promise
}

function responseOf(message: IncomingMessage, socket: OwnSocket): HttpResponse {
  let isRead = false
  const length =
    message.headers['transfer-encoding'] === undefined ? message.headers['content-length'] : undefined
  return {
    status: message.statusCode ?? 0,
    headers: new Headers(Object.entries(message.headersDistinct).flatMap(pairsOf)),
    body: {
      get locked() {
        return isRead
      },
      async cancel() {
        socket.destroy()
      },
      [Symbol.asyncIterator]() {
        isRead = true
        return length === undefined ? readParsed(message, socket) : socket.readPlain(Number(length))
      },
    },
  }
}

function pairsOf([name, values = []]: [string, string[] | undefined]): [string, string][] {
  return values.map((value) => [name, value])
}

async function* readParsed(message: IncomingMessage, socket: OwnSocket): AsyncGenerator<Uint8Array> {
  try {
    socket.parseBody()
    for await (const chunk of message as AsyncIterable<Uint8Array>) yield chunk
  } finally {
    socket.destroy()
  }
}
