export { Credentials, CredentialsFault, readCredentials } from './credentials/index.ts'
export { FLOW_ERRORS, type FlowErrorCode, OAuthFlowError } from './flow/flow-error.ts'
export type { FlowOptions, GatewayOptions } from './flow/flow-options.ts'
export {
  type AuthorizationCode,
  createOAuthClient,
  type OAuthClient,
  type OAuthFlow,
  startOAuthFlow,
} from './flow/start-flow.ts'
export {
  type ConnectAnswer,
  type ConnectRequest,
  ConnectService,
  type ConnectServiceOptions,
  type ConnectStatus,
  type ConnectTokens,
} from './service/connect-service.ts'
export type { Surroundings } from './surroundings.ts'
export {
  type CodeExchange,
  NotConnected,
  type NotConnectedReason,
  TokenKeeper,
  type TokenKeeperOptions,
  TokenRecordBusy,
  TokenRequestFailed,
} from './tokens/index.ts'
