import type { Socket } from 'node:net'
import { CLOSE_CODES, type CloseCodeName, closeCodeName } from '@patchbay/contracts/core'
import { WebSocket } from 'ws'
import type { Log } from '../log/index.ts'
import type { AnyEndpoint, Outgoing, Peer } from './endpoint.ts'
import type { Place } from './handshake/connection-caps.ts'
import { type Bucket, capacity } from './message-rate.ts'
import type { WebSocketLimits, WebSocketMetrics } from './options.ts'

const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82
const LENGTH_16 = 126
const LENGTH_64 = 127

/**
 * One whole message as one piece of memory (RFC 6455, 5.2; a server does not mask). `ws` writes head and body apart, which
 * costs a gathered write for every message.
 */
function frameOf(data: string | Uint8Array): Buffer {
  const isText = typeof data === 'string'
  const length = isText ? Buffer.byteLength(data) : data.length
  const headLength = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10
  const frame = Buffer.allocUnsafe(headLength + length)
  frame[0] = isText ? FINAL_TEXT : FINAL_BINARY
  if (headLength === 2) frame[1] = length
  else if (headLength === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  if (isText) frame.write(data, headLength)
  else frame.set(data, headLength)
  return frame
}

/** What all connections to one path share. */
export interface Route {
  readonly path: string
  readonly endpoint: AnyEndpoint
  readonly limits: WebSocketLimits
  readonly metrics: WebSocketMetrics
  readonly log: Log
  /** Forgets a peer that has closed. */
  readonly forget: (peer: SocketPeer) => void
}

const NEVER_PINGED = -1
const SEEN_CLOSING = -2
const REFUSED = Promise.resolve(false)

/** Fields instead of closures: each closure per connection costs more than all of these together. */
export class SocketPeer extends WebSocket implements Peer<unknown>, Bucket {
  data: unknown = undefined
  declare route: Route
  declare place: Place
  declare transport: Socket
  slice = 0
  readAtPing = NEVER_PINGED
  tokens = 0
  refilledAt = 0
  inFlight = 0
  endedAs: CloseCodeName | undefined = undefined

  /** `ws` constructs the object; what belongs to this connection comes right after, before any event. */
  settle(route: Route, place: Place, transport: Socket, data: unknown): void {
    this.route = route
    this.place = place
    this.transport = transport
    this.data = data
    if (route.endpoint.rate !== undefined) {
      this.tokens = capacity(route.endpoint.rate)
      this.refilledAt = performance.now()
    }
  }

  get path(): string {
    return this.route.path
  }

  get address(): string {
    return this.place.address
  }

  get isOpen(): boolean {
    return this.readyState === WebSocket.OPEN
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- The `send` of `ws` has no limit: it must not stay reachable.
  override send(data: Outgoing): Promise<boolean> {
    if (!hasRoom(this)) return REFUSED
    return new Promise((resolve) => {
      this.transport.write(frameOf(data), (error) => resolve(!error))
    })
  }

  offer(data: Outgoing): boolean {
    if (!hasRoom(this)) return false
    this.transport.write(frameOf(data))
    return true
  }

  end(name: CloseCodeName): void {
    if (!this.isOpen) return
    this.close(CLOSE_CODES[name].code)
    // The answer to the close frame must be read, whatever is still being handled.
    if (this.isPaused) this.resume()
  }

  /** Also called by `ws` itself: with a bare code when it gives a peer up, with the peer's reason when the peer ends. */
  override close(code?: number, reason?: string | Buffer): void {
    if (reason !== undefined || code === undefined) {
      super.close(code, reason)
      return
    }
    const name = closeCodeName(code)
    if (this.isOpen) this.endedAs = name
    super.close(code, name)
  }

  /** Cuts the connection. The close frame leaves only if nothing is waiting before it. */
  drop(name: CloseCodeName): void {
    this.route.log.debug({ path: this.path, reason: name }, 'WebSocket peer dropped')
    this.end(name)
    this.terminate()
  }

  /** Pings, unless not one byte has come since the last ping. */
  beat(): void {
    if (!this.isOpen) {
      if (this.readAtPing === SEEN_CLOSING) this.terminate()
      this.readAtPing = SEEN_CLOSING
      return
    }
    if (this.isPaused) {
      // Nothing is read from it, so its silence proves nothing.
      this.readAtPing = NEVER_PINGED
      return
    }
    const read = this.transport.bytesRead
    if (read === this.readAtPing) {
      this.drop('dead_peer')
      return
    }
    this.readAtPing = read
    this.ping()
  }
}

/** Whether anything more may be queued for this peer; removes it when it is too far behind. */
export function hasRoom(peer: SocketPeer): boolean {
  if (!peer.isOpen) return false
  const { limits, metrics, path } = peer.route
  if (peer.bufferedAmount <= limits.maxBufferedBytes) return true
  metrics.droppedSlow?.(path)
  peer.drop('slow_consumer')
  return false
}
