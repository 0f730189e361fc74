import { join } from 'node:path'

/** Which file of a folder is at an address, when the folder is published at the base. */
export class PublishedFiles {
  readonly base: string
  readonly #folder: string

  /** The base is where the list is. */
  constructor(folder: string, packagesUrl: string) {
    this.base = new URL('.', packagesUrl).href
    this.#folder = folder
  }

  /** Relative to the folder. `undefined`: it is published somewhere else. */
  nameOf(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined
    // Parsing has resolved every dot segment, so that nothing leads out of the folder; encoded slashes would.
    const { href } = new URL(url)
    if (!href.startsWith(this.base) || href.length === this.base.length) return undefined
    const name = decodeName(href.slice(this.base.length).replace(/[?#].*$/, ''))
    return name?.split('/').some((part) => part === '' || part === '..' || part.includes('\\')) === true
      ? undefined
      : name
  }

  pathOf(name: string): string {
    return join(this.#folder, name)
  }
}

function decodeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
