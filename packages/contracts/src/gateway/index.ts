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
export {
  type CallbackQuery,
  callbackMessage,
  type ClientMessage,
  clientMessage,
  errorMessage,
  GATEWAY_ERROR_REASONS,
  type GatewayErrorReason,
  type GatewayMessage,
  gatewayMessage,
  registeredMessage,
  type RegisterMessage,
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
export { GATEWAY_ENDPOINTS, WATCHDOG_ENDPOINTS } from './endpoints.ts'
