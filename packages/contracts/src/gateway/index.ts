export {
  CALLBACK_OUTCOMES,
  type CallbackOutcome,
  DELIVERY_MODES,
  type DeliveryMode,
  getCallback,
  getCallbackResult,
  getConfirmation,
  getGatewayStatus,
  postCallback,
  postConfirmation,
} from './callbacks.ts'
export { GATEWAY_ENDPOINTS, WATCHDOG_ENDPOINTS } from './endpoints.ts'
export {
  type CallbackQuery,
  type ClientMessage,
  callbackMessage,
  clientMessage,
  errorMessage,
  GATEWAY_ERROR_REASONS,
  type GatewayErrorReason,
  type GatewayMessage,
  gatewayMessage,
  type RegisterMessage,
  registeredMessage,
  registerMessage,
  unregisterMessage,
} from './messages.ts'
export {
  getWatchdogStatus,
  postRestart,
  postStart,
  postStop,
  postWatchdog,
  WATCHDOG_STATES,
  type WatchdogState,
  type WatchdogStatus,
} from './watchdog.ts'
