import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Server, WebSocketServer } from 'ws'
import { SocketPeer } from './socket-peer.ts'

/** Legitimate senders cut messages into far larger pieces; each piece costs a few hundred bytes to hold. */
const SMALLEST_PIECE_BYTES = 256
const PIECES_ALWAYS_ALLOWED = 64

export type Acceptor = Server<typeof SocketPeer>

export function createAcceptor(
  maxMessageBytes: number,
  closeTimeoutMs: number,
  onInvalid: (error: Error, socket: Duplex) => void,
): Acceptor {
  const maxPieces = PIECES_ALWAYS_ALLOWED + Math.ceil(maxMessageBytes / SMALLEST_PIECE_BYTES)
  const options = {
    noServer: true,
    WebSocket: SocketPeer,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: maxMessageBytes,
    maxFragments: maxPieces,
    maxBufferedChunks: maxPieces,
    closeTimeout: closeTimeoutMs,
    // Left alone, `ws` agrees to whatever protocol the client names first.
    handleProtocols: () => false as const,
  }
  const acceptor = new WebSocketServer(options)
  acceptor.on('wsClientError', onInvalid)
  return acceptor
}

/** `undefined` when the client is gone already or its headers were refused. */
export function accept(acceptor: Acceptor, request: IncomingMessage, head: Buffer): SocketPeer | undefined {
  let accepted: SocketPeer | undefined
  acceptor.handleUpgrade(request, request.socket, head, (peer) => {
    accepted = peer
  })
  return accepted
}
