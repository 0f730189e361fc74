import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws'
import { originIsAllowed } from '../http/allowed-origins.ts'

export interface StreamAcceptorOptions {
  /** One of these must be offered; the first of them that is gets agreed to. */
  readonly protocols: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly maxMessageBytes: number
}

export type StreamAcceptor = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onStream: (stream: Duplex) => void,
) => void

const MOST_PIECES = 256
const LARGEST_BACKLOG = 64 * 1_024

/** Answers upgrades with WebSockets that carry a stream of bytes, wherever its messages are cut: for protocols that are older than WebSocket. */
export function createStreamAcceptor({
  protocols,
  allowedOrigins,
  maxMessageBytes,
}: StreamAcceptorOptions): StreamAcceptor {
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxMessageBytes,
    maxFragments: MOST_PIECES,
    maxBufferedChunks: MOST_PIECES,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  })
  return (request, socket, head, onStream) => {
    const { origin, 'sec-websocket-protocol': names = '' } = request.headers
    const offered = names.split(',').map((name) => name.trim())
    if (!originIsAllowed(origin, allowedOrigins)) refuse(socket, 403)
    else if (!protocols.some((protocol) => offered.includes(protocol))) refuse(socket, 400)
    else acceptor.handleUpgrade(request, socket, head, (peer) => onStream(streamOf(peer)))
  }
}

function refuse(socket: Duplex, status: 400 | 403): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`)
}

function streamOf(peer: WebSocket): Duplex {
  peer.on('message', (_bytes, isBinary) => {
    if (!isBinary) peer.terminate()
  })
  // `ws` would answer each ping of somebody who reads no answers.
  peer.on('ping', (data) => {
    if (peer.bufferedAmount < LARGEST_BACKLOG) peer.pong(data)
  })
  return createWebSocketStream(peer, {
    // What is written in pieces, as the head and the content of a packet are, is one message and not several.
    writev: (pieces, done) => peer.send(Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)), done),
  })
}
