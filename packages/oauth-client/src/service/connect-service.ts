import type { IncomingHttpHeaders } from 'node:http'
import { checkFlowOptions, type FlowOptions } from '../flow/flow-options.ts'
import { createSecret } from '../flow/pkce.ts'
import { type OAuthFlow, startOAuthFlow } from '../flow/start-flow.ts'
import { type Surroundings, systemSurroundings } from '../surroundings.ts'
import type { TokenKeeper } from '../tokens/index.ts'
import { type Attempt, Attempts } from './attempts.ts'
import { type Failure, failureOf } from './failure.ts'
import { askPage, messagePage, PAGE_HEADERS } from './pages.ts'

const NAME = 'patchbay-connect'
const SESSION = /^[A-Za-z0-9_-]{43}$/
const MAX_AGE_SECONDS = 24 * 60 * 60

/**
 * `__Host-`: no other host, not even a subdomain, can plant one. Without TLS browsers refuse the prefix.
 * Lax, not Strict: the person's first request after the provider's pages is a navigation from another site.
 */
export function sessionCookie(session: string, isSecure: boolean): string {
  const prefix = isSecure ? '__Host-' : ''
  const secure = isSecure ? '; Secure' : ''
  return `${prefix}${NAME}=${session}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}${secure}`
}

export function sessionOf(header: string | undefined, isSecure: boolean): string | undefined {
  const name = `${isSecure ? '__Host-' : ''}${NAME}=`
  const value = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length)
  return value !== undefined && SESSION.test(value) ? value : undefined
}

/** Where a service keeps the tokens of its users: a `TokenKeeper`, or something that does the same elsewhere. */
export type ConnectTokens = Pick<TokenKeeper, 'isConfigured' | 'redeem'>

export interface ConnectServiceOptions extends Omit<FlowOptions, 'signal'> {
  readonly tokens: ConnectTokens
  /** Origins other than its own whose pages may start a flow, such as a front end on another port. */
  readonly trustedOrigins?: readonly string[]
  /** Whether cookies are `Secure`. Default: whether the request came over TLS. Set it behind a proxy that ends TLS. */
  readonly secureCookies?: boolean
  /** Flows under way at once. Default 100. */
  readonly maxFlows?: number
  /** Told of every failure, for the log. Nothing in it is a secret. */
  readonly onError?: (error: unknown) => void
}

export interface ConnectRequest {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  readonly isSecure: boolean
  /** Who is signed in; `undefined` for nobody. */
  readonly user: string | undefined
}

export interface ConnectAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the status route answers. The contract has `configured`; the rest says more to whoever shows it. */
export interface ConnectStatus {
  readonly configured: boolean
  /** This browser has started a flow and the person has not come back yet. */
  readonly pending: boolean
  /** The words that the gateway shows as well, while it is pending. */
  readonly phrase?: string
  /** How this browser's last attempt failed. */
  readonly error?: Failure
}

const DEFAULT_MAX_FLOWS = 100
const MAX_FLOWS_PER_USER = 5
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** The two routes of a service that connects its users to a provider, for any HTTP framework. */
export class ConnectService {
  readonly #options: ConnectServiceOptions
  readonly #surroundings: Surroundings
  readonly #attempts = new Attempts()

  constructor(options: ConnectServiceOptions, surroundings: Surroundings = systemSurroundings) {
    // A typing error in the settings must stop the service, not the first person who connects.
    checkFlowOptions(options)
    this.#options = options
    this.#surroundings = surroundings
  }

  /** Starts a flow for this browser and sends it to the provider. */
  async auth(request: ConnectRequest): Promise<ConnectAnswer> {
    const { user } = request
    const { provider, trustedOrigins = [], maxFlows = DEFAULT_MAX_FLOWS } = this.#options
    if (user === undefined)
      return page(401, 'Sign in first', 'Only somebody who is signed in can connect an account.')
    if (!isOwnWish(request.headers, trustedOrigins)) {
      return { status: 403, headers: PAGE_HEADERS, body: askPage(provider, request.path) }
    }
    this.#attempts.cancel(this.#attempts.find(this.#sessionOf(request)))
    this.#attempts.cancelOldest(user, MAX_FLOWS_PER_USER)
    if (this.#attempts.running >= maxFlows) {
      const busy = page(503, 'Too many people are connecting', 'Try again in a few minutes.')
      return { ...busy, headers: { ...busy.headers, 'retry-after': '60' } }
    }
    return await this.#start(request, user)
  }

  async status(request: ConnectRequest): Promise<ConnectAnswer> {
    const { user } = request
    if (user === undefined) {
      const error = { code: 'signed_out', message: 'Nobody is signed in.' }
      return json(401, { configured: false, pending: false, error })
    }
    try {
      const configured = await this.#options.tokens.isConfigured(user)
      return json(200, { configured, ...this.#progress(this.#sessionOf(request), user) })
    } catch (error) {
      this.#options.onError?.(error)
      const failure = { code: 'tokens_unavailable', message: 'The stored tokens cannot be read right now.' }
      return json(500, { configured: false, pending: false, error: failure })
    }
  }

  /** Ends every flow that is under way. */
  close(): void {
    this.#attempts.cancelAll()
  }

  async #start(request: ConnectRequest, user: string): Promise<ConnectAnswer> {
    const attempt: Attempt = {
      // Fresh for every flow: a value that somebody else planted in the browser opens nothing.
      session: createSecret(this.#surroundings),
      user,
      startedAt: this.#surroundings.now(),
      cancel: new AbortController(),
      isOver: false,
    }
    this.#attempts.add(attempt)
    const cookie = { 'set-cookie': sessionCookie(attempt.session, this.#isSecure(request)) }
    try {
      const flow = await startOAuthFlow(
        { ...this.#options, signal: attempt.cancel.signal },
        this.#surroundings,
      )
      attempt.flow = flow
      void this.#complete(attempt, flow)
      return {
        status: 302,
        headers: {
          ...cookie,
          location: flow.authRedirectUrl,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
        },
        body: '',
      }
    } catch (error) {
      const { message } = this.#fail(attempt, error)
      const answer = page(502, 'This did not work', message)
      return { ...answer, headers: { ...answer.headers, ...cookie } }
    }
  }

  async #complete(attempt: Attempt, flow: OAuthFlow): Promise<void> {
    try {
      await this.#options.tokens.redeem(attempt.user, await flow.waitForCode())
      attempt.isOver = true
    } catch (error) {
      this.#fail(attempt, error)
    }
  }

  #fail(attempt: Attempt, error: unknown): Failure {
    attempt.isOver = true
    attempt.failure = failureOf(error)
    // An attempt that another one replaced is not worth a line of the log.
    if (!attempt.cancel.signal.aborted) this.#options.onError?.(error)
    return attempt.failure
  }

  /** Of this browser, and of this user: the next one who signs in here must not see how it went for the last. */
  #progress(session: string | undefined, user: string): Omit<ConnectStatus, 'configured'> {
    const attempt = this.#attempts.find(session)
    if (attempt === undefined || attempt.user !== user) return { pending: false }
    const { isOver, flow, failure } = attempt
    return {
      pending: !isOver,
      ...(isOver || flow === undefined ? {} : { phrase: flow.phrase }),
      ...(failure === undefined ? {} : { error: failure }),
    }
  }

  #sessionOf(request: ConnectRequest): string | undefined {
    return sessionOf(request.headers.cookie, this.#isSecure(request))
  }

  #isSecure({ isSecure }: ConnectRequest): boolean {
    return this.#options.secureCookies ?? isSecure
  }
}

function page(status: number, title: string, text: string): ConnectAnswer {
  return { status, headers: PAGE_HEADERS, body: messagePage(title, text) }
}

function json(status: number, body: ConnectStatus): ConnectAnswer {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) }
}

/**
 * Whether a GET of the auth route is the wish of the person at the screen. Any page of the web can send a browser here
 * (a link, a redirect, an image); a provider that remembers consent then connects the account of somebody who never
 * asked. Such a request is answered with a page that asks; the click there comes from our own origin.
 */
export function isOwnWish(headers: IncomingHttpHeaders, trustedOrigins: readonly string[]): boolean {
  // A browser that looks ahead follows links that nobody clicked.
  if (/\bprefetch\b/.test(textOf(headers['sec-purpose']) ?? textOf(headers['purpose']) ?? '')) return false
  const site = textOf(headers['sec-fetch-site'])
  // "none": typed, or from a bookmark. "same-site" is not enough: it holds for every port of this host.
  if (site === 'same-origin' || site === 'none') return true
  const from = originOf(textOf(headers.referer))
  if (from !== undefined && trustedOrigins.includes(from)) return true
  if (site !== undefined) return false
  // Programs, old browsers, and all browsers on plain http beyond this machine, which is no place for sign-ins.
  return textOf(headers.referer) === undefined || hostOf(from) === headers.host
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}

function hostOf(origin: string | undefined): string | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : undefined
}
