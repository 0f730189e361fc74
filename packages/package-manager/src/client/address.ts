import { fileURLToPath } from 'node:url'
import { RepositoryFailure } from './failure.ts'

const SCHEMES: ReadonlySet<string> = new Set(['https:', 'http:', 'file:'])

/** The address as people may see it: a query can hold a secret, and so can a user name. */
export function shownAddress(url: URL): string {
  return url.protocol === 'file:' ? url.href : `${url.origin}${url.pathname}`
}

/** The address of a repository.json, as somebody configured it. */
export function parseRepositoryAddress(text: string): URL {
  const url = parseAddress(text)
  if (url === undefined) {
    throw new RepositoryFailure('bad_address', 'use the http, https or file URL of a repository.json')
  }
  return url
}

/** The address of a file that a repository names. */
export function resourceAddress(repository: URL, text: string, what: string): URL {
  const url = parseAddress(text)
  if (url === undefined) {
    throw new RepositoryFailure(
      'bad_address',
      `the ${what} URL is no http, https or file URL without password`,
      {
        url: shownAddress(repository),
      },
    )
  }
  // A stranger's index must not make this machine read its own files.
  if (url.protocol === 'file:' && repository.protocol !== 'file:') {
    throw new RepositoryFailure(
      'bad_address',
      `a repository on the web must not name a local file as ${what}`,
      {
        url: shownAddress(repository),
      },
    )
  }
  return url
}

/** The path of a file URL. Some spellings are a URL and no path. */
export function pathOfFile(url: URL): string {
  const path = understand(() => fileURLToPath(url), url)
  if (!path.includes('\0')) return path
  throw notUnderstood(url)
}

export function decodePart(text: string, url: URL): string {
  return understand(() => decodeURIComponent(text), url)
}

export function isOnThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function understand<T>(read: () => T, url: URL): T {
  try {
    return read()
  } catch (cause) {
    throw notUnderstood(url, cause)
  }
}

function notUnderstood(url: URL, cause?: unknown): RepositoryFailure {
  return new RepositoryFailure('bad_address', 'the escapes in it lead to no file; check its spelling', {
    url: shownAddress(url),
    cause,
  })
}

function parseAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  url.hash = ''
  const isPlain = url.username === '' && url.password === ''
  // On some systems a file URL with a host opens a network share, and sends the user's password hash there.
  const isLocal = url.protocol !== 'file:' || url.host === ''
  return SCHEMES.has(url.protocol) && isPlain && isLocal ? url : undefined
}
