import { LIMITS } from '@patchbay/contracts/limits'
import { checkBaseUrl } from '../base-url.ts'
import { throwIfAborted } from '../http/pause.ts'
import { ask, type CallerOptions } from '../http/request.ts'
import { intentsUrl } from '../paths.ts'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import { checkPending, type PendingLogin, pendingLoginOf } from './pending-login.ts'
import { type LoginStatus, statusOf } from './status.ts'
import { untilSettled } from './until-settled.ts'
import { statusRequest } from './watch.ts'

const BYTES = 32

/** What only the process that began the login can show: whoever sees the link cannot fetch its session. */
export function createVerifier({ randomBytes: drawBytes }: Pick<Surroundings, 'randomBytes'>): string {
  return base64url(drawBytes(BYTES))
}

/** SHA-256 of the verifier's text (S256 of RFC 7636, section 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(digest))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

export interface BeginOptions extends CallerOptions {
  /** Where the installation is: `https://patchbay.example.com`. */
  readonly baseUrl: string
  /** What the application calls itself, for the person who is asked. */
  readonly label?: string | undefined
  /** Seconds that the session should live; the operator may allow less. */
  readonly maxAge?: number | undefined
}

export interface WaitOptions extends CallerOptions {
  /** `auto`: a stream where it can be had, polling where not. */
  readonly transport?: 'auto' | 'poll' | undefined
  readonly pollIntervalMs?: number | undefined
}

/** What the person needs to see. */
export interface LoginPrompt {
  /** To be opened in their browser. Holds a secret: not for logs. */
  readonly authUrl: string
  /** Two words to compare with those on the page. Absent where a server has none. */
  readonly confirmationCode?: string
  readonly expiresAt: string
}

export interface LoginOptions extends BeginOptions, WaitOptions {
  readonly onPrompt: (prompt: LoginPrompt) => void | Promise<void>
}

export interface Login {
  /** Sent as `Authorization: Bearer`. A secret. */
  readonly sessionToken: string
  readonly intent: {
    readonly createdAt: string
    readonly expiresAt: string
    readonly requestedMaxAge: number
    readonly confirmationCode?: string
  }
}

const SHORTEST_POLL_MS = 100

/** Obtains a session for a person who approves it in their own browser. */
export async function login(
  options: LoginOptions,
  surroundings: Surroundings = systemSurroundings,
): Promise<Login> {
  const pending = await beginLogin(options, surroundings)
  const { authUrl, expiresAt } = pending
  await options.onPrompt({ authUrl, expiresAt, ...wordsOf(pending) })
  return await waitForLogin(pending, options, surroundings)
}

/** The first half: what to show, and what to keep until `waitForLogin` or `checkLogin`, perhaps in another process. */
export async function beginLogin(
  options: BeginOptions,
  surroundings: Surroundings = systemSurroundings,
): Promise<PendingLogin> {
  const baseUrl = checkBaseUrl(options.baseUrl)
  throwIfAborted(options.signal)
  const verifier = createVerifier(surroundings)
  const body = {
    code_challenge: await challengeOf(verifier),
    ...(options.label === undefined ? {} : { label: options.label }),
    ...(options.maxAge === undefined ? {} : { max_age: options.maxAge }),
  }
  const now = surroundings.now()
  const answer = await ask({ method: 'POST', url: intentsUrl(baseUrl), body }, options, surroundings)
  return pendingLoginOf(answer.body, { baseUrl, verifier, now })
}

/** Asks once where a login stands. */
export async function checkLogin(
  pending: PendingLogin,
  options: CallerOptions = {},
  surroundings: Surroundings = systemSurroundings,
): Promise<LoginStatus> {
  const { body } = await ask(statusRequest(checkPending(pending)), options, surroundings)
  return statusOf(body)
}

/** The second half: resolves when the person has approved, rejects with a `LoginError` when that will not happen. */
export async function waitForLogin(
  pending: PendingLogin,
  options: WaitOptions = {},
  surroundings: Surroundings = systemSurroundings,
): Promise<Login> {
  const { transport = 'auto', pollIntervalMs = LIMITS.intentPollIntervalMs } = options
  if (!(pollIntervalMs >= SHORTEST_POLL_MS))
    throw new TypeError(`pollIntervalMs must be ${SHORTEST_POLL_MS} or more`)
  const watch = { pending: checkPending(pending), caller: options, pollIntervalMs, surroundings }
  const sessionToken = await untilSettled(watch, transport)
  const { createdAt, expiresAt, requestedMaxAge } = pending
  return { sessionToken, intent: { createdAt, expiresAt, requestedMaxAge, ...wordsOf(pending) } }
}

function wordsOf({ confirmationCode }: PendingLogin): Pick<LoginPrompt, 'confirmationCode'> {
  return confirmationCode === undefined ? {} : { confirmationCode }
}
