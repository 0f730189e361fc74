export interface SeenPage {
  readonly url: URL
  readonly status: number
  readonly html: string
}

/** Someone with a cookie jar who follows redirects, reads pages and presses buttons. */
export class Person {
  readonly #cookies = new Map<string, Map<string, string>>()

  async open(address: string | URL, form?: URLSearchParams): Promise<SeenPage> {
    const url = new URL(address)
    const jar = this.#jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const html = await response.text()
    const location = response.headers.get('location')
    return location === null ? { url, status: response.status, html } : this.open(new URL(location, url))
  }

  async json(address: string): Promise<unknown> {
    return JSON.parse((await this.open(address)).html)
  }

  /** Submits the provider's form whose action ends so. */
  press(page: SeenPage, action: string, fields: Record<string, string> = {}): Promise<SeenPage> {
    const [, address] = new RegExp(`action="([^"]+/${action})"`).exec(page.html) ?? []
    if (address === undefined) throw new Error(`no ${action} form on ${page.url.href}:\n${page.html}`)
    return this.open(new URL(address, page.url), new URLSearchParams(fields))
  }

  /** From the application's address to the last page, allowing everything. */
  async allow(address: string | URL, account = 'ada'): Promise<SeenPage> {
    return this.press(await this.#chooseAccount(address, account), 'consent')
  }

  async refuse(address: string | URL, account = 'ada'): Promise<SeenPage> {
    return this.press(await this.#chooseAccount(address, account), 'abort')
  }

  async #chooseAccount(address: string | URL, account: string): Promise<SeenPage> {
    return this.press(await this.open(address), 'login', { account })
  }

  /** Paths are ignored: all names on one host are its own. */
  #jarOf({ origin }: URL): Map<string, string> {
    const jar = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, jar)
    return jar
  }
}
