import type { EndpointSpec } from '../core/endpoint.ts'
import {
  getCallback,
  getCallbackResult,
  getConfirmation,
  getGatewayStatus,
  postCallback,
  postConfirmation,
} from './callbacks.ts'
import { getWatchdogStatus, postRestart, postStart, postStop, postWatchdog } from './watchdog.ts'

/** What a gateway answers, in the order of the reference. */
export const GATEWAY_ENDPOINTS: readonly EndpointSpec[] = [
  getGatewayStatus,
  getCallback,
  postCallback,
  getConfirmation,
  postConfirmation,
  getCallbackResult,
]

/** What the watchdog of a gateway answers, in the order of the reference. */
export const WATCHDOG_ENDPOINTS: readonly EndpointSpec[] = [
  getWatchdogStatus,
  postStart,
  postStop,
  postRestart,
  postWatchdog,
]
