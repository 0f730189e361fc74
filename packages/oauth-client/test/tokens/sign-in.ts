import { createHash, randomBytes } from 'node:crypto'

export const REDIRECT_URI = 'http://127.0.0.1:9/callback'

/** Signs somebody in at the provider's pages and returns what the application gets back. */
export async function obtainCode(
  issuer: string,
  { clientId = 'app', scope = 'openid offline_access' }: { clientId?: string; scope?: string } = {},
) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const url = new URL('/auth', issuer)
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    prompt: 'consent',
    scope,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const browser = new Browser()
  const consent = await browser.press(await browser.open(url), 'login', { account: 'ada' })
  const callback = await browser.press(consent, 'consent')
  const code = callback.url.searchParams.get('code')
  if (code === null) throw new Error(`no code in ${callback.url.href}`)
  return { code, redirectUri: REDIRECT_URI, codeVerifier }
}

interface Page {
  readonly url: URL
  readonly html: string
}

/** Follows redirects, keeps cookies and submits forms; stops at the application's own address. */
class Browser {
  readonly #cookies = new Map<string, string>()

  async open(url: URL, form?: URLSearchParams): Promise<Page> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      // On a busy machine a kept connection may end in the moment in which it is used again.
      headers: { cookie, connection: 'close' },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const html = await response.text()
    const location = response.headers.get('location')
    if (location === null) return { url, html }
    const next = new URL(location, url)
    return next.href.startsWith(REDIRECT_URI) ? { url: next, html: '' } : this.open(next)
  }

  press(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
    const [, address] = new RegExp(`action="([^"]+/${action})"`).exec(page.html) ?? []
    if (address === undefined) throw new Error(`no ${action} form on ${page.html}`)
    return this.open(new URL(address, page.url), new URLSearchParams(fields))
  }
}
