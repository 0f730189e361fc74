import { checkBaseUrl } from '../base-url.ts'
import { LoginError } from '../login-error.ts'

/** A login that waits for its person. Plain JSON: keep it where only its user can read it. */
export interface PendingLogin {
  readonly baseUrl: string
  /** A secret. */
  readonly token: string
  /** A secret. */
  readonly verifier: string
  /** Where the person approves. Holds the token: not for logs. */
  readonly authUrl: string
  /** Two words, also shown on the approval page. Absent where a server has none. */
  readonly confirmationCode?: string
  readonly createdAt: string
  readonly expiresAt: string
  /** Seconds that the session will live. */
  readonly requestedMaxAge: number
  /** `expiresAt` in milliseconds of this machine's clock, which may be wrong. */
  readonly waitUntil: number
}

const LONGEST_WAIT_MS = 24 * 60 * 60_000

/** The answer to `POST /auth/intents`, checked: its link will be opened in somebody's browser. */
export function pendingLoginOf(
  body: unknown,
  begun: { readonly baseUrl: string; readonly verifier: string; readonly now: number },
): PendingLogin {
  const { token, auth_url, confirmation_code, created_at, expires_at, requested_max_age } = Object(
    body,
  ) as Record<string, unknown>
  const lifetime = Date.parse(String(expires_at)) - Date.parse(String(created_at))
  if (
    typeof token !== 'string' ||
    token === '' ||
    typeof auth_url !== 'string' ||
    !isWebAddress(auth_url) ||
    !isTextOrAbsent(confirmation_code) ||
    typeof requested_max_age !== 'number' ||
    !(lifetime > 0 && lifetime <= LONGEST_WAIT_MS)
  ) {
    throw new LoginError('unexpected', { detail: 'its answer is no intent' })
  }
  return {
    baseUrl: begun.baseUrl,
    token,
    verifier: begun.verifier,
    // Written anew: what is shown on a terminal holds nothing but plain characters.
    authUrl: new URL(auth_url).href,
    ...(confirmation_code === undefined ? {} : { confirmationCode: confirmation_code }),
    createdAt: String(created_at),
    expiresAt: String(expires_at),
    requestedMaxAge: requested_max_age,
    waitUntil: begun.now + lifetime,
  }
}

/** What was kept as JSON in the meantime, perhaps by another version. Nothing of it is repeated in the error. */
export function checkPending(value: unknown): PendingLogin {
  const pending = Object(value) as Record<string, unknown>
  const texts = ['baseUrl', 'token', 'verifier', 'authUrl', 'createdAt', 'expiresAt']
  const isWhole = texts.every((name) => typeof pending[name] === 'string' && pending[name] !== '')
  const areNumbers = ['waitUntil', 'requestedMaxAge'].every((name) => typeof pending[name] === 'number')
  if (!isWhole || !areNumbers || !isTextOrAbsent(pending['confirmationCode']))
    throw new TypeError('this is no pending login: begin another one')
  checkBaseUrl(String(pending['baseUrl']))
  return pending as unknown as PendingLogin
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
