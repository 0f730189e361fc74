export { type ConnectPageOptions, connect } from './connect.ts'
export { ConnectError } from './connect-error.ts'
export type { ConnectStatus } from './connect-status.ts'
export { type WaitOptions, waitUntilConfigured } from './wait-until-configured.ts'
