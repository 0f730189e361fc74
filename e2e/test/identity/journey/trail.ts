/** Every secret that a journey has seen, and every address that its browsers have been at. */
export class Trail {
  readonly #secrets = new Set<string>()
  readonly #links = new Set<string>()
  readonly #addresses: string[] = []

  get secrets(): ReadonlySet<string> {
    return this.#secrets
  }

  see(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < 16) throw new Error('this is no secret, and would be found anywhere')
      this.#secrets.add(secret)
    }
  }

  /** A link that carries a secret on purpose: a browser is at it once, and leaves no trace of it. */
  seeLink(link: string): void {
    const url = new URL(link)
    const secret = url.searchParams.get('token') ?? url.searchParams.get('invitation')
    if (secret === null) throw new Error('this link carries no secret')
    this.see(secret)
    this.#links.add(url.href)
  }

  beenAt(address: string): void {
    this.#addresses.push(address)
  }

  /** Where browsers have been, without the links that were opened in them. */
  addresses(): string[] {
    return this.#addresses.filter((address) => !this.#links.has(address))
  }
}
