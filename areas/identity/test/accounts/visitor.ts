import type { IdentityNode } from '../start.ts'

export interface SignInQuery {
  readonly return_to?: string
  readonly invitation?: string
}

/** Somebody's browser, as far as HTTP goes: it keeps cookies by origin and sends back what it was given. */
export class Visitor {
  readonly #node: IdentityNode
  readonly #jars = new Map<string, Map<string, string>>()

  constructor(node: IdentityNode) {
    this.#node = node
  }

  /** The cookies that this installation has set. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#jar(this.publicUrl)
  }

  get publicUrl(): string {
    return this.#node.deps.settings.publicUrl
  }

  setCookie(name: string, value: string): void {
    this.#jar(this.publicUrl).set(name, value)
  }

  /** One request; redirects are answers. */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.publicUrl)
    const jar = this.#jar(url.origin)
    const isOurs = url.origin === new URL(this.publicUrl).origin
    const reached = isOurs ? new URL(url.pathname + url.search, this.#node.url) : url
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(reached, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) keep(jar, line)
    return response
  }

  /** As a page of ours posts. */
  async post(path: string, body?: unknown): Promise<Response> {
    return await this.ask(path, {
      method: 'POST',
      headers: {
        origin: new URL(this.publicUrl).origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Who this browser is signed in as. */
  async whoAmI(): Promise<string | null> {
    const { person } = await (await this.ask('/auth/session')).json()
    return person === null ? null : person.handle
  }

  async start(issuer: string, query: SignInQuery = {}): Promise<Response> {
    return await this.ask(`/auth/oidc/${issuer}/start?${new URLSearchParams({ ...query }).toString()}`)
  }

  /** From the issuer's front door to the address it sends the browser back to, which is not opened. */
  async passIssuer(address: string, account: string): Promise<string> {
    let at = new URL(address)
    let response = await this.ask(at.href)
    for (let step = 0; step < 20; step += 1) {
      const location = response.headers.get('location')
      if (location !== null) {
        await response.body?.cancel()
        at = new URL(location, at)
        if (at.href.startsWith(this.publicUrl)) return at.href
        response = await this.ask(at.href)
        continue
      }
      const html = await response.text()
      const [, path, action] = /action="([^"]+\/(login|consent))"/.exec(html) ?? []
      if (path === undefined) throw new Error(`the issuer shows neither form:\n${html}`)
      at = new URL(path, at)
      const body = new URLSearchParams(action === 'login' ? { account } : {})
      response = await this.ask(at.href, { method: 'POST', body })
    }
    throw new Error('the issuer does not let go')
  }

  /** The callback that a sign-in leads to. */
  async callbackOf(issuer: string, account: string, query: SignInQuery = {}): Promise<string> {
    const start = await this.start(issuer, query)
    return await this.passIssuer(redirectOf(start), account)
  }

  /** The whole way; answers where our callback sends the browser. */
  async signInWith(issuer: string, account: string, query: SignInQuery = {}): Promise<string> {
    return redirectOf(await this.ask(await this.callbackOf(issuer, account, query)))
  }

  #jar(address: string): Map<string, string> {
    const { origin } = new URL(address)
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    return jar
  }
}

function redirectOf(response: Response): string {
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) throw new Error(`${response.status} is no redirect`)
  return location
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  const isOver = attributes.some((attribute) => /expires=thu, 01 jan 1970|max-age=0/i.test(attribute))
  if (isOver) jar.delete(name)
  else jar.set(name, pair.slice(pair.indexOf('=') + 1))
}

export async function codeOf(response: Response): Promise<unknown> {
  const body: { code?: unknown } = await response.json()
  return body.code
}

/** For answers to requests that race: which came first does not matter. */
export function sortedStatuses(responses: readonly Response[]): number[] {
  return responses.map(({ status }) => status).toSorted((left, right) => left - right)
}
