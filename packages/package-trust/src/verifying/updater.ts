import { Updater } from 'tuf-js'
import type { TrustLimits } from './limits.ts'
import type { MetadataFetcher } from './metadata-fetcher.ts'
import type { Session } from './session.ts'

export interface UpdaterOptions {
  readonly session: Session
  readonly metadataUrl: string
  readonly pinnedRoot: Uint8Array
  readonly fetcher: MetadataFetcher
  readonly limits: TrustLimits
  readonly now: Date | undefined
}

/** An updater of tuf-js that begins with what the cache holds, or else with the pinned root. */
export async function createUpdater(options: UpdaterOptions): Promise<Updater> {
  const { session, pinnedRoot } = options
  const hasRoot = await session.load('root')
  for (const role of ['timestamp', 'snapshot', 'targets']) await session.load(role)
  if (hasRoot) {
    try {
      return startUpdater(options)
    } catch {
      // A root that the disk has damaged: without the pinned one nobody could get out of that but by hand.
    }
  }
  await session.put('root', Buffer.from(pinnedRoot))
  return startUpdater(options)
}

function startUpdater({ session, metadataUrl, fetcher, limits, now }: UpdaterOptions): Updater {
  const updater = new Updater({
    metadataDir: session.folder,
    metadataBaseUrl: metadataUrl,
    fetcher,
    config: {
      rootMaxLength: limits.rootBytes,
      timestampMaxLength: limits.timestampBytes,
      snapshotMaxLength: limits.snapshotBytes,
      targetsMaxLength: limits.targetsBytes,
    },
  })
  if (now !== undefined) setReferenceTime(updater, now)
  return updater
}

/** tuf-js reads the clock when an updater is made, and has no option for another one. */
function setReferenceTime(updater: Updater, now: Date): void {
  const store: unknown = Reflect.get(updater, 'trustedSet')
  if (typeof store === 'object' && store !== null && Reflect.get(store, 'referenceTime') instanceof Date) {
    Reflect.set(store, 'referenceTime', now)
    return
  }
  throw new Error('This version of tuf-js keeps its time elsewhere: leave `now` out')
}
