import type { CallbackQuery } from '@patchbay/contracts/gateway'
import { phraseOf } from '@patchbay/contracts/identity'
import { gatewayUrlOfEnvironment, type Surroundings, systemSurroundings } from '../surroundings.ts'
import { chooseGateway, gatewayAddresses } from './addresses.ts'
import { authorizationUrl } from './authorization-url.ts'
import { OAuthFlowError } from './flow-error.ts'
import { checkFlowOptions, type FlowOptions, type GatewayOptions } from './flow-options.ts'
import { type CallbackAnswer, PendingFlow } from './pending-flow.ts'
import { challengeOf, createSecret } from './pkce.ts'

const MOST_STATES_TRIED = 3

/** Everything that the exchange of the code needs. */
export interface AuthorizationCode {
  readonly code: string
  readonly state: string
  /** Every parameter that the provider sent. */
  readonly query: CallbackQuery
  readonly codeVerifier: string
  readonly redirectUri: string
  /** Who answered, if the provider says so (RFC 9207). Equal to `issuer`, if that was given. */
  readonly iss?: string
}

export interface OAuthFlow extends AsyncDisposable {
  /** Send the person here, with a 302. */
  readonly authRedirectUrl: string
  readonly redirectUri: string
  /** The code, or an `OAuthFlowError`. However often it is called, it is the same answer. */
  waitForCode(): Promise<AuthorizationCode>
  readonly state: string
  /** Three words. Show them: the gateway shows the same ones when it asks the person to confirm. */
  readonly phrase: string
  readonly codeVerifier: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Ends the flow: the gateway forgets the state, and `waitForCode` rejects with `aborted`. */
  abort(): void
}

export interface OAuthClient {
  startOAuthFlow(options: FlowOptions): Promise<OAuthFlow>
}

/** For a service that says once where its gateway is. */
export function createOAuthClient(gateway: GatewayOptions, surroundings?: Surroundings): OAuthClient {
  return { startOAuthFlow: (options) => startOAuthFlow({ ...gateway, ...options }, surroundings) }
}

/**
 * Registers a fresh state with the gateway. Resolves when the gateway has it, and not before: whoever was sent to the
 * provider earlier could come back to a gateway that does not know them.
 */
export async function startOAuthFlow(
  options: FlowOptions,
  surroundings: Surroundings = systemSurroundings,
): Promise<OAuthFlow> {
  const { now, randomUUID: createId, randomBytes: drawBytes } = surroundings
  const times = checkFlowOptions(options)
  const gatewayUrl = chooseGateway(options.gatewayUrl, gatewayUrlOfEnvironment())
  const addresses = gatewayAddresses(gatewayUrl, options.gatewayWsUrl)
  for (let tried = 1; ; tried += 1) {
    // Read here as well: an abort between two attempts has nobody else to hear it.
    if (options.signal?.aborted === true) throw new OAuthFlowError('aborted')
    const state = createId()
    const pending = new PendingFlow({
      ...options,
      ...times,
      state,
      socketUrl: addresses.socketUrl,
      resumeSecret: createSecret(surroundings),
      random: () => fraction(drawBytes(4)),
    })
    try {
      const lastsMs = (await pending.registered) ?? times.timeoutMs
      const expiresAt = now() + Math.min(lastsMs, times.timeoutMs)
      const codeVerifier = createSecret(surroundings)
      return await present(options, pending, { state, codeVerifier, expiresAt, ...addresses })
    } catch (error) {
      pending.abort()
      if (!isStateTaken(error) || tried === MOST_STATES_TRIED) throw error
    }
  }
}

interface FlowFacts {
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  readonly expiresAt: number
}

async function present(options: FlowOptions, pending: PendingFlow, facts: FlowFacts): Promise<OAuthFlow> {
  const { state, codeVerifier, redirectUri, expiresAt } = facts
  const authRedirectUrl = authorizationUrl(options, {
    redirectUri,
    state,
    codeChallenge: challengeOf(codeVerifier),
  })
  const code = pending.answer.then((answer) => authorizationCode(answer, facts))
  // The second promise needs its own guard against ending the process.
  code.catch(() => undefined)
  const flow = {
    authRedirectUrl,
    redirectUri,
    waitForCode: () => code,
    state,
    phrase: await phraseOf(state),
    codeVerifier,
    expiresAt,
    abort: pending.abort,
  }
  return Object.assign(flow, { [Symbol.asyncDispose]: async () => pending.abort() })
}

function authorizationCode({ code, query }: CallbackAnswer, facts: FlowFacts): AuthorizationCode {
  const { state, codeVerifier, redirectUri } = facts
  const { iss } = query
  return { code, state, query, codeVerifier, redirectUri, ...(typeof iss === 'string' ? { iss } : {}) }
}

function isStateTaken(error: unknown): boolean {
  return error instanceof OAuthFlowError && error.code === 'state_taken'
}

function fraction(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0) / 2 ** 32
}
