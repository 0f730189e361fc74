import { resolve } from 'node:path'
import { systemSurroundings } from '../surroundings.ts'
import { isOnThisMachine, parseRepositoryAddress } from './address.ts'
import { RepositoryCache } from './cache.ts'
import { RepositoryFailure } from './failure.ts'
import { CLIENT_LIMITS, type ClientLimits } from './limits.ts'
import type { ReadDeps } from './read-file.ts'
import type { RepositoryDeps, RepositorySource, TrustSource } from './source.ts'

/** One repository and all that reading it takes. */
export interface Context {
  readonly url: URL
  readonly brand: string | undefined
  readonly trust: TrustSource | undefined
  readonly cache: RepositoryCache
  /** For pinned roots. */
  readonly trustFolder: string
  readonly limits: ClientLimits
  readonly now: () => number
  readonly read: ReadDeps
}

export function createContext(source: RepositorySource, deps: RepositoryDeps): Context {
  const url = parseRepositoryAddress(source.url)
  const now = deps.now ?? systemSurroundings.now
  const limits = { ...CLIENT_LIMITS, ...deps.limits }
  const trust = source.trust === 'none' ? undefined : source.trust
  return {
    url,
    brand: source.brand,
    trust,
    limits,
    now,
    trustFolder: deps.trustFolder ?? `${resolve(deps.cacheFolder)}-pins`,
    cache: new RepositoryCache(deps.cacheFolder, url, trust !== undefined, now),
    read: createReadDeps(url, source.apiKey, { ...deps, limits, now }),
  }
}

export function createReadDeps(
  url: URL,
  apiKey: string | undefined,
  deps: Pick<RepositoryDeps, 'fetch' | 'now'> & { readonly limits: ClientLimits },
): ReadDeps {
  if (apiKey !== undefined && url.protocol === 'http:' && !isOnThisMachine(url)) {
    throw new RepositoryFailure('bad_address', 'an API key is sent over https only; use the https address')
  }
  // The transport's own error for this would repeat the key.
  if (apiKey !== undefined && !/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
    throw new RepositoryFailure('bad_address', 'the API key holds characters that no key has; copy it again')
  }
  return {
    fetch: deps.fetch ?? globalThis.fetch,
    limits: deps.limits,
    now: deps.now ?? systemSurroundings.now,
    random: systemSurroundings.random,
    // The origin of every file URL is "null": none of them is a server.
    key: apiKey === undefined || url.protocol === 'file:' ? undefined : { origin: url.origin, value: apiKey },
  }
}
