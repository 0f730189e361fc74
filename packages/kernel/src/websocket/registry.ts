import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '@patchbay/contracts/core'
import { type Acceptor, accept, createAcceptor } from './acceptor.ts'
import { closeGradually, type DrainOptions } from './drain.ts'
import type { AnyEndpoint, Endpoint } from './endpoint.ts'
import { authenticateInTime } from './handshake/authentication.ts'
import { ConnectionCaps } from './handshake/connection-caps.ts'
import { checkDraining } from './handshake/draining.ts'
import { checkHost } from './handshake/host.ts'
import { checkOrigin } from './handshake/origin.ts'
import { findByPath } from './handshake/path.ts'
import { refuse } from './handshake/refuse.ts'
import { checkUpgrade } from './handshake/upgrade.ts'
import { DEFAULT_WEBSOCKET_LIMITS, type WebSocketLimits, type WebSocketOptions } from './options.ts'
import { announce, listen } from './peer-events.ts'
import { Peers } from './peers.ts'
import type { Route, SocketPeer } from './socket-peer.ts'

const MAX_SLICES = 100
const MIN_TICK_MS = 10

/** At 25 s: a hundred ticks of 250 ms, so 100,000 peers are a thousand pings at a time. */
export function sliceCount(intervalMs: number): number {
  return Math.max(2, Math.min(MAX_SLICES, Math.floor(intervalMs / MIN_TICK_MS)))
}

/**
 * Visits every slice once per interval. Slices are counted in ticks, not in wall time: after a pause of the whole
 * process the pongs that wait in the kernel are read before anybody is judged again.
 */
function startHeartbeat(peers: Peers, intervalMs: number): NodeJS.Timeout {
  let current = 0
  return setInterval(() => {
    for (const peer of peers.slices[current] ?? []) peer.beat()
    current = (current + 1) % peers.slices.length
  }, intervalMs / peers.slices.length).unref()
}

export interface WebSockets extends AsyncDisposable {
  /** How many connections are open. */
  readonly size: number
  add<Data>(endpoint: Endpoint<Data>): void
  /** Refuses newcomers and sends everybody away in good order. */
  drain(options: DrainOptions): Promise<void>
  /** Cuts whoever is left and lets go of the server. */
  close(): Promise<void>
}

interface Door extends Route {
  readonly acceptor: Acceptor
}

const CUT_MS = 1_000

export class Registry implements WebSockets {
  readonly #options: WebSocketOptions
  readonly #limits: WebSocketLimits
  readonly #doors = new Map<string, Door>()
  readonly #caps: ConnectionCaps
  readonly #peers: Peers
  readonly #heartbeat: NodeJS.Timeout
  #draining = false
  #drained: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(options: WebSocketOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_WEBSOCKET_LIMITS, ...options.limits }
    this.#caps = new ConnectionCaps(this.#limits)
    this.#peers = new Peers(sliceCount(this.#limits.pingIntervalMs))
    this.#heartbeat = startHeartbeat(this.#peers, this.#limits.pingIntervalMs)
  }

  get size(): number {
    return this.#peers.size
  }

  add<Data>(endpoint: Endpoint<Data>): void {
    const paths = typeof endpoint.path === 'string' ? [endpoint.path] : endpoint.path
    for (const path of paths) {
      if (!/^\/[^?#\s]*$/.test(path)) throw new Error(`Not a path: ${path}`)
      if (this.#doors.has(path)) throw new Error(`Two endpoints want the path ${path}`)
      this.#doors.set(path, this.#createDoor(path, endpoint))
    }
  }

  /** Listens to the server's `upgrade`. */
  readonly answer = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', destroy)
    this.#admit(request, head).catch((error: unknown) => this.#refuse(socket, error))
  }

  drain(options: DrainOptions): Promise<void> {
    this.#draining = true
    this.#drained ??= closeGradually(this.#peers, options, this.#options.random ?? Math.random)
    return this.#drained
  }

  close(): Promise<void> {
    this.#closed ??= this.#cut()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #cut(): Promise<void> {
    this.#draining = true
    clearInterval(this.#heartbeat)
    this.#peers.cut()
    await this.#peers.empty(CUT_MS)
    await this.#drained
  }

  async #admit(request: IncomingMessage, head: Buffer): Promise<void> {
    checkUpgrade(request)
    const door = findByPath(request, this.#doors)
    checkHost(request, this.#options.allowedHosts)
    checkOrigin(request, this.#options.allowedOrigins)
    checkDraining(this.#draining)
    const place = this.#caps.take(this.#addressOf(request))
    let peer: SocketPeer | undefined
    try {
      const { authenticate } = door.endpoint
      const data =
        authenticate && (await authenticateInTime(authenticate, request, this.#limits.authenticateTimeoutMs))
      checkDraining(this.#draining)
      request.socket.off('error', destroy)
      peer = accept(door.acceptor, request, head)
      peer?.settle(door, place, request.socket, data)
    } finally {
      if (peer === undefined) this.#caps.giveBack(place)
    }
    if (peer === undefined) return
    this.#peers.add(peer)
    listen(peer)
    announce(peer)
  }

  #createDoor(path: string, endpoint: AnyEndpoint): Door {
    const { log, metrics = {} } = this.#options
    return {
      path,
      endpoint,
      limits: this.#limits,
      metrics,
      log,
      forget: this.#forget,
      acceptor: createAcceptor(endpoint.maxMessageBytes, this.#limits.closeTimeoutMs, (error, socket) =>
        this.#refuse(socket, new Problem('malformed_request', { detail: `${error.message}.` })),
      ),
    }
  }

  readonly #forget = (peer: SocketPeer): void => {
    this.#peers.remove(peer)
    this.#caps.giveBack(peer.place)
  }

  #addressOf(request: IncomingMessage): string {
    return this.#options.addressOf?.(request) ?? request.socket.remoteAddress ?? ''
  }

  #refuse(socket: Duplex, error: unknown): void {
    const { log, metrics } = this.#options
    const problem = error instanceof Problem ? error : new Problem('internal_error')
    if (problem === error) log.debug({ code: problem.code }, 'WebSocket handshake refused')
    else log.error({ err: error }, 'WebSocket handshake failed')
    metrics?.refused?.(problem.code)
    try {
      refuse(socket, problem, this.#limits.closeTimeoutMs)
    } catch (unwritable) {
      log.error({ err: unwritable }, 'failed to write WebSocket rejection')
      socket.destroy()
    }
  }
}

function destroy(this: Duplex): void {
  this.destroy()
}
