import { isToken } from './ticket.ts'

export interface PageRequest {
  readonly token: string
  /** What is to be shown; `undefined` when it is no address of the web. */
  readonly url: URL | undefined
}

/** As long as an address that a web view takes. */
export const LONGEST_ADDRESS = 2048
const PATH = /^\/page\/([^/?]*)\/([^?]*)/

/** From the request line as it came: routers differ in what they decode, and how often. */
export function parsePageRequest(requestLine: string): PageRequest | undefined {
  const [, token = '', encoded = ''] = PATH.exec(requestLine) ?? []
  return isToken(token) ? { token, url: parseAddress(encoded) } : undefined
}

function parseAddress(encoded: string): URL | undefined {
  const text = decode(encoded)
  if (text === undefined || text.length > LONGEST_ADDRESS) return undefined
  const url = URL.parse(text)
  return url !== null && isWebAddress(url) ? url : undefined
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}

export function isWebAddress({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}

/** Whether a browser says that it wants the page for something else than a frame. Others do not say. */
export function isForFrame(destination: string | undefined): boolean {
  return destination === undefined || destination === 'iframe'
}

const LANGUAGES = /^[A-Za-z0-9*,;=. -]{1,100}$/

/** What the person prefers to read, if the header says nothing else. */
export function languagesOf(header: string | undefined): string {
  return header !== undefined && LANGUAGES.test(header) ? header : 'en'
}
