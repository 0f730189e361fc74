import type { RepositoryResource } from '@patchbay/package-format'
import { resourceAddress, shownAddress } from './address.ts'
import type { CachedRepository } from './cache.ts'
import { type FetchedFile, readChecked, refuseUnprotected } from './checked-file.ts'
import type { Context } from './context.ts'
import { RepositoryFailure } from './failure.ts'
import { type ParsedPackages, parsePackages } from './packages-file.ts'
import type { TrustedRoot } from './pinned-root.ts'
import { type ParsedIndex, parseIndex } from './repository-file.ts'
import type { SignedIndex, SignedState } from './signed-index.ts'
import type { RefreshOptions, RefreshStep } from './source.ts'

/** A whole state: the index and the list that it names. */
export interface RepositoryState {
  readonly index: ParsedIndex
  readonly packages: ParsedPackages
  readonly fetchedAt: number
  /** Of a signed state: from then on it must not be used. */
  readonly expiresAt?: number
  /** The root that was pinned by this very refresh. */
  readonly newRoot?: TrustedRoot
}

/** Asks the repository. What comes back replaces the cached state as a whole, or nothing does. */
export async function fetchState(
  context: Context,
  signed: SignedIndex | undefined,
  options: RefreshOptions,
): Promise<RepositoryState> {
  const { cache, url } = context
  const cached = await cache.load()
  const isForced = signed === undefined && options.allowOlder === true
  // Looked up before asking: of two processes at once, the slower one has not been sent back by anybody.
  const newest = signed === undefined && !isForced ? await cache.newestOrder() : 0
  const { repository, state } = await readRepository(context, signed, cached, options)
  const index = parseIndex(repository.bytes, url)
  const timestamp = index.index.packages.update_timestamp
  refuseFuture(timestamp, context)
  refuseOlder(timestamp, newest, url)
  const list = await readList(index.index.packages, cached, context, options)
  const packages = await parsePackages(list.bytes, new URL(list.file.url), context.brand, options.signal)
  const newRoot = await signed?.keepNewRoot()
  const fetchedAt = context.now()
  const expiry = state === undefined ? {} : { expiresAt: state.expires.getTime() }
  await cache.save(
    {
      order: state === undefined ? timestamp : signedOrder(state),
      fetchedAt,
      ...expiry,
      repository: repository.file,
      packages: list.file,
    },
    [repository.bytes, list.bytes],
    isForced,
  )
  return { index, packages, fetchedAt, ...expiry, ...(newRoot === undefined ? {} : { newRoot }) }
}

export async function readState(cached: CachedRepository, context: Context): Promise<RepositoryState> {
  const { packages, fetchedAt, expiresAt } = cached.state
  return {
    index: parseIndex(cached.repository, context.url),
    packages: await parsePackages(cached.packages, new URL(packages.url), context.brand),
    fetchedAt,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }
}

/** The index, and with trust the state of the signatures that names it. */
async function readRepository(
  context: Context,
  signed: SignedIndex | undefined,
  cached: CachedRepository | undefined,
  options: RefreshOptions,
): Promise<{ readonly repository: FetchedFile; readonly state?: SignedState }> {
  const read = (sha256?: string) =>
    readChecked(
      {
        url: context.url,
        accept: 'application/json',
        maxBytes: context.limits.repositoryBytes,
        sha256,
        known: cached && { bytes: cached.repository, file: cached.state.repository },
        ...watching(options, 'repository'),
      },
      context,
    )
  if (signed === undefined) return { repository: await read() }
  const state = await signed.expect(options.signal)
  try {
    return { repository: await read(state.file.sha256), state }
  } catch (error) {
    if (!(error instanceof RepositoryFailure) || error.code !== 'hash_mismatch') throw error
    // It may have been published between the two readings: then newer signatures cover it.
    const later = await signed.expect(options.signal)
    if (later.file.sha256 === state.file.sha256) throw error
    return { repository: await read(later.file.sha256), state: later }
  }
}

const SPAN = 1e12
const LAST_ROOT = 9000

/** The root counts first: after a stolen key pushed versions up, honest ones begin lower under a new root. */
function signedOrder({ rootVersion, timestampVersion }: SignedState): number {
  return Math.min(rootVersion, LAST_ROOT) * SPAN + Math.min(timestampVersion, SPAN - 1)
}

async function readList(
  resource: RepositoryResource,
  cached: CachedRepository | undefined,
  context: Context,
  options: RefreshOptions,
): Promise<FetchedFile> {
  const url = resourceAddress(context.url, resource.url, 'packages')
  refuseUnprotected(context.url, url, resource)
  refuseUnsigned(resource, context)
  return readChecked(
    {
      url,
      accept: 'application/json',
      maxBytes: context.limits.packagesBytes,
      sha256: resource.sha256,
      known: cached && { bytes: cached.packages, file: cached.state.packages },
      ...watching(options, 'packages'),
    },
    context,
  )
}

/** The signatures cover repository.json; it is the hashes in it that cover everything else. */
export function refuseUnsigned({ sha256 }: RepositoryResource, { trust, url }: Context): void {
  if (trust === undefined || sha256 !== undefined) return
  throw new RepositoryFailure(
    'untrusted',
    'repository.json gives no sha256, so the signatures do not cover its files',
    {
      url: shownAddress(url),
      trustReason: 'not_listed',
    },
  )
}

const DAY_SECONDS = 86_400

/** A list from the far future would make every honest one after it a step back. */
function refuseFuture(timestamp: number, { url, now }: Context): void {
  if (timestamp <= now() / 1000 + DAY_SECONDS) return
  throw new RepositoryFailure(
    'malformed',
    `its list is of ${showTime(timestamp)}, which is not yet; check the clock of this machine, then tell whoever publishes it`,
    { url: shownAddress(url) },
  )
}

function refuseOlder(timestamp: number, newest: number, url: URL): void {
  if (timestamp >= newest) return
  throw new RepositoryFailure(
    'older_than_cached',
    `its list is of ${showTime(timestamp)}, and one of ${showTime(newest)} was here before; if whoever publishes it says that this is right, allow it once`,
    { url: shownAddress(url) },
  )
}

/** There are numbers of seconds that are no date. */
function showTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} seconds after 1970` : date.toISOString()
}

export function watching(options: RefreshOptions, step: RefreshStep) {
  return {
    signal: options.signal,
    onProgress: (progress: { readonly bytes: number; readonly total: number | undefined }) =>
      options.onProgress?.({ step, ...progress }),
  }
}
