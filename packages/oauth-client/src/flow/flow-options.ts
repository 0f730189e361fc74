import { LIMITS } from '@patchbay/contracts/limits'
import { type AuthorizationRequest, checkAuthorizationRequest, requireText } from './authorization-url.ts'
import type { IssuerRule } from './issuer.ts'

export interface GatewayOptions {
  /** The gateway's public address. Default: `PATCHBAY_GATEWAY_URL`, else the gateway on this machine. */
  readonly gatewayUrl?: string
  /** Where its WebSocket is, when that is not `{gatewayUrl}/ws`. */
  readonly gatewayWsUrl?: string
  /** What the person sees as the application that asks, when the gateway asks them to confirm. */
  readonly label?: string
}

export interface FlowOptions extends AuthorizationRequest, IssuerRule, GatewayOptions {
  /** What the person is connecting to, such as `github`. */
  readonly provider: string
  /** Ends the flow when it is aborted. */
  readonly signal?: AbortSignal
  /** How long to wait for the person. Default, and most that a gateway waits: 10 minutes. */
  readonly timeoutMs?: number
  /** How long to try to reach the gateway at first. Default 10 s. Afterwards lost connections are made again until the end. */
  readonly connectTimeoutMs?: number
  /** Default 25 s. Shorter for a proxy that cuts silent connections even sooner. */
  readonly pingIntervalMs?: number
}

export interface FlowTimes {
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly pingIntervalMs: number
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000
const DEFAULT_PING_INTERVAL_MS = 25_000
/** The wire contract's limit for names that people see. */
const LONGEST_NAME = 100
/** Beyond this, timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Throws a `TypeError` that names the option: what is wrong here is wrong in the calling program. */
export function checkFlowOptions(options: FlowOptions): FlowTimes {
  checkAuthorizationRequest(options)
  requireName('provider', options.provider)
  if (options.label !== undefined) requireName('label', options.label)
  if (options.issuer !== undefined) requireText('issuer', options.issuer)
  if (options.requireIss === true && options.issuer === undefined) {
    throw new TypeError('requireIss needs an issuer to compare with')
  }
  return {
    timeoutMs: duration('timeoutMs', options.timeoutMs, LIMITS.gatewayRegistrationLifetimeMs),
    connectTimeoutMs: duration('connectTimeoutMs', options.connectTimeoutMs, DEFAULT_CONNECT_TIMEOUT_MS),
    pingIntervalMs: duration('pingIntervalMs', options.pingIntervalMs, DEFAULT_PING_INTERVAL_MS),
  }
}

function requireName(option: string, value: unknown): void {
  requireText(option, value)
  if (String(value).length > LONGEST_NAME) {
    throw new TypeError(`${option} must have at most ${LONGEST_NAME} characters`)
  }
}

function duration(option: string, value: number | undefined, standard: number): number {
  const milliseconds = value ?? standard
  if (!(milliseconds > 0 && milliseconds <= LONGEST_TIMER_MS)) {
    throw new TypeError(`${option} must be a positive number of milliseconds`)
  }
  return milliseconds
}
