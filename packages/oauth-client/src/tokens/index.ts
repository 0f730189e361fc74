export { NotConnected, type NotConnectedReason, TokenRecordBusy, TokenRequestFailed } from './errors.ts'
export type { CodeExchange } from './token-endpoint.ts'
export { TokenKeeper, type TokenKeeperOptions } from './token-keeper.ts'
