export { createOutbound } from './outbound.ts'
export type { Connector, Lookup, OpenOptions, Outbound, OutboundOptions, OutboundResponse } from './ports.ts'
export { type OutboundRefusal, OutboundRefused } from './refused.ts'
