import type { EventEmitter } from 'node:events'
import { CLOSE_CODES } from '@patchbay/contracts/core'
import { takeToken } from './message-rate.ts'
import { hasRoom, type SocketPeer } from './socket-peer.ts'

/** The same four functions for every peer. */
export function listen(peer: SocketPeer): void {
  const events: EventEmitter = peer
  events.on('message', onMessage)
  events.on('ping', onPing)
  events.on('error', onError)
  events.on('close', onClose)
}

/** Tells the endpoint about a peer that was just admitted. */
export function announce(peer: SocketPeer): void {
  const { endpoint, metrics, path } = peer.route
  metrics.opened?.(path)
  try {
    const work = endpoint.onOpen?.(peer)
    if (work !== undefined) void follow(peer, work)
  } catch (error) {
    fail(peer, error)
  }
}

/** Closes a peer for draining, after its endpoint has had its say. */
export async function sendAway(peer: SocketPeer): Promise<void> {
  try {
    if (peer.isOpen) await peer.route.endpoint.onGoingAway?.(peer)
  } catch (error) {
    peer.route.log.error({ err: error, path: peer.path }, 'WebSocket handler failed')
  }
  peer.end('going_away')
}

function onMessage(this: SocketPeer, bytes: Buffer, isBinary: boolean): void {
  if (!this.isOpen) return
  const { endpoint, metrics, path } = this.route
  metrics.received?.(path)
  if (!isWithinRate(this)) return
  if (isBinary && endpoint.onBinary === undefined) {
    this.end('unsupported_data')
    return
  }
  try {
    const work = isBinary ? endpoint.onBinary?.(this, bytes) : endpoint.onMessage(this, bytes.toString())
    if (work !== undefined) void follow(this, work)
  } catch (error) {
    fail(this, error)
  }
}

/** `ws` would answer each ping into an endless backlog. */
function onPing(this: SocketPeer, data: Buffer): void {
  if (isWithinRate(this) && hasRoom(this)) this.pong(data)
}

/** `ws` closes the connection itself; unheard, the event would end the process. */
function onError(this: SocketPeer, error: Error): void {
  this.route.log.debug({ err: error, path: this.path }, 'WebSocket peer broke the protocol')
}

function onClose(this: SocketPeer, received: number): void {
  const { endpoint, metrics, path } = this.route
  const code = this.endedAs === undefined ? received : CLOSE_CODES[this.endedAs].code
  this.route.forget(this)
  metrics.closed?.(path, code)
  try {
    const work = endpoint.onClose?.(this, code)
    if (work !== undefined) void follow(this, work)
  } catch (error) {
    fail(this, error)
  }
}

function isWithinRate(peer: SocketPeer): boolean {
  const { rate } = peer.route.endpoint
  if (rate === undefined || takeToken(peer, rate, performance.now())) return true
  peer.end('policy_violation')
  return false
}

/** Waits for a handler; stops reading from a peer that has too many of them under way. */
async function follow(peer: SocketPeer, work: Promise<void>): Promise<void> {
  const { maxInFlight } = peer.route.limits
  peer.inFlight += 1
  if (peer.inFlight === maxInFlight && peer.isOpen) peer.pause()
  try {
    await work
  } catch (error) {
    fail(peer, error)
  }
  peer.inFlight -= 1
  if (peer.isPaused && peer.inFlight < maxInFlight) peer.resume()
}

function fail(peer: SocketPeer, error: unknown): void {
  peer.route.log.error({ err: error, path: peer.path }, 'WebSocket handler failed')
  peer.end('internal_error')
}
