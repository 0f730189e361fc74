import type { IncomingMessage } from 'node:http'
import type { ProblemCode } from '@patchbay/contracts/core'
import type { Log } from '../log/index.ts'

/** Counters for whoever counts. `path` is the endpoint's own, never what a client asked for. */
export interface WebSocketMetrics {
  opened?(path: string): void
  closed?(path: string, code: number): void
  received?(path: string): void
  refused?(code: ProblemCode): void
  droppedSlow?(path: string): void
}

export interface WebSocketOptions {
  readonly log: Log
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** The client's address behind trusted proxies; the socket's own unless told. */
  readonly addressOf?: (request: IncomingMessage) => string
  readonly metrics?: WebSocketMetrics
  /** In [0, 1); decides the order of draining. */
  readonly random?: () => number
  readonly limits?: Partial<WebSocketLimits>
}

export interface WebSocketLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  readonly pingIntervalMs: number
  /** Bytes waiting for one peer before it counts as slow. */
  readonly maxBufferedBytes: number
  /** Messages of one peer being handled at once before it is no longer read from. */
  readonly maxInFlight: number
  readonly authenticateTimeoutMs: number
  /** How long the other side may take to answer a close frame, or to close a refused socket. */
  readonly closeTimeoutMs: number
}

export const DEFAULT_WEBSOCKET_LIMITS: WebSocketLimits = {
  maxConnections: 100_000,
  maxConnectionsPerAddress: 1_000,
  // Proxies cut idle sockets after 60 s, some earlier.
  pingIntervalMs: 25_000,
  maxBufferedBytes: 1024 * 1024,
  maxInFlight: 64,
  authenticateTimeoutMs: 10_000,
  closeTimeoutMs: 5_000,
}
