import { createHash, randomBytes } from 'node:crypto'

export const CALLBACK = 'http://127.0.0.1:9/callback'

export interface Attempt {
  readonly url: URL
  readonly verifier: string
  readonly state: string
}

/** The address an application sends its visitor to. */
export function authorizationRequest(
  issuer: string,
  changes: Record<string, string | undefined> = {},
): Attempt {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const wanted: Record<string, string | undefined> = {
    client_id: 'app',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...changes,
  }
  const url = new URL('/auth', issuer)
  for (const [name, value] of Object.entries(wanted))
    if (value !== undefined) url.searchParams.set(name, value)
  return { url, verifier, state }
}

export interface SeenPage {
  readonly url: URL
  readonly status: number
  readonly html: string
  readonly headers: Headers
}

/** Someone with a cookie jar who follows redirects, reads pages and presses buttons. */
export class Person {
  readonly #cookies = new Map<string, string>()

  /** The page shown in the end. The application's own callback is not fetched: its address is the result. */
  async open(url: URL, form?: URLSearchParams): Promise<SeenPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const location = response.headers.get('location')
    if (location === null) {
      return { url, status: response.status, html: await response.text(), headers: response.headers }
    }
    await response.body?.cancel()
    const next = new URL(location, url)
    if (next.href.startsWith(CALLBACK))
      return { url: next, status: response.status, html: '', headers: response.headers }
    return this.open(next)
  }

  /** Submits the page's form whose action ends in `/action`. */
  async press(page: SeenPage, action: string, fields: Record<string, string> = {}): Promise<SeenPage> {
    const form = new RegExp(`action="([^"]+/${action})"`).exec(page.html)
    if (form?.[1] === undefined) throw new Error(`no ${action} form on:\n${page.html}`)
    return this.open(new URL(form[1], page.url), new URLSearchParams(fields))
  }

  /** From the application's request to the callback, allowing everything. */
  async signIn({ url }: Attempt, account = 'ada'): Promise<URL> {
    const chooser = await this.open(url)
    const consent = await this.press(chooser, 'login', { account })
    return (await this.press(consent, 'consent')).url
  }

  // Paths are ignored: each test's provider has one host and cookies with names of its own.
  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    const expired = attributes.some((attribute) => /expires=thu, 01 jan 1970/i.test(attribute))
    if (expired) this.#cookies.delete(name)
    else this.#cookies.set(name, pair.slice(pair.indexOf('=') + 1))
  }
}

export interface Tokens {
  readonly access_token: string
  readonly id_token: string
  readonly refresh_token?: string
  readonly error?: string
}

export async function askToken(issuer: string, parameters: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: 'app', ...parameters })
  const response = await fetch(new URL('/token', issuer), { method: 'POST', body })
  const tokens: Tokens = await response.json()
  return tokens
}

export function redeem(issuer: string, callback: URL, { verifier }: Attempt): Promise<Tokens> {
  return askToken(issuer, {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  })
}

export async function askUserinfo(
  issuer: string,
  { access_token }: Tokens,
): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('/me', issuer), {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const claims: Record<string, unknown> = await response.json()
  return claims
}
