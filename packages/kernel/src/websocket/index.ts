export { attachWebSockets } from './attach-web-sockets.ts'
export type { DrainOptions } from './drain.ts'
export type { Authenticate, Endpoint, Outgoing, Peer } from './endpoint.ts'
export type { MessageRate } from './message-rate.ts'
export {
  DEFAULT_WEBSOCKET_LIMITS,
  type WebSocketLimits,
  type WebSocketMetrics,
  type WebSocketOptions,
} from './options.ts'
export type { WebSockets } from './registry.ts'
export { createStreamAcceptor } from './stream-acceptor.ts'
