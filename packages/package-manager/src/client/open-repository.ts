import { escapeHidden } from '@patchbay/primitives/text'
import { shownAddress } from './address.ts'
import { createContext } from './context.ts'
import { openDownload } from './download.ts'
import { RepositoryFailure } from './failure.ts'
import { readIcons } from './icons.ts'
import { fetchState, type RepositoryState, readState } from './refresh.ts'
import { SignedIndex } from './signed-index.ts'
import type { RepositoryClient, RepositoryDeps, RepositorySource, Snapshot } from './source.ts'

/** A repository to read from. Nothing is asked before the first call. */
export function openRepository(source: RepositorySource, deps: RepositoryDeps): RepositoryClient {
  const context = createContext(source, deps)
  const signed = context.trust === undefined ? undefined : new SignedIndex(context.trust, context)

  function snapshotOf(state: RepositoryState, failure?: RepositoryFailure, fromCache = false): Snapshot {
    const { index, warnings } = state.index
    return {
      url: source.url,
      name: escapeHidden(index.name),
      packages: state.packages.packages,
      quarantined: state.packages.quarantined,
      findings: warnings,
      fromCache,
      ...(failure === undefined ? {} : { failure }),
      fetchedAt: new Date(state.fetchedAt),
      updateTimestamp: index.packages.update_timestamp,
      isSigned: signed !== undefined,
      ...(state.newRoot === undefined ? {} : { pinnedRoot: { sha256: state.newRoot.sha256 } }),
    }
  }

  /** Whoever keeps the server away must not make a client stay with an old state for longer than it was signed for. */
  function expiryOf({ expiresAt = 0 }: RepositoryState, cause?: unknown): RepositoryFailure | undefined {
    if (signed === undefined || context.now() < expiresAt) return undefined
    return new RepositoryFailure(
      'untrusted',
      'what is cached was signed for a time that is over, and newer signatures cannot be read; try again when the server can be reached',
      { url: shownAddress(context.url), trustReason: 'freeze', cause },
    )
  }

  async function readCached(failure?: RepositoryFailure): Promise<Snapshot | undefined> {
    const cached = await context.cache.load()
    if (cached === undefined) return undefined
    const state = await readState(cached, context)
    return snapshotOf(state, expiryOf(state, failure) ?? failure, true)
  }

  return {
    url: source.url,
    async refresh(options = {}) {
      try {
        return snapshotOf(await fetchState(context, signed, options))
      } catch (error) {
        // Only silence is answered from the cache: what a server says, wrong as it may be, is not passed over.
        if (!(error instanceof RepositoryFailure) || !error.isPassing) throw error
        const cached = await readCached(error).catch(() => undefined)
        if (cached === undefined) throw error
        if (cached.failure?.isPassing === false) throw cached.failure
        return cached
      }
    },
    readCached: () => readCached(),
    readIcons: (options) => readIcons(context, options),
    openDownload: (version, options) => openDownload(version, context, options),
  }
}
