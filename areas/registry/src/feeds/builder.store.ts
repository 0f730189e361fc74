import type { RegistryDeps } from '../deps.ts'
import type { FeedName } from '../files/addresses.ts'
import { commitFeed } from './feed-commit.store.ts'
import { draftFeed } from './feed-draft.store.ts'
import { buildAlone } from './index-lock.store.ts'
import type { Signer } from './signer.store.ts'
import { findWaitingFeeds } from './waiting-feeds.store.ts'

const FIRST_MS = 500
const LONGEST_MS = 60_000

/** What failed is tried again after a pause that grows: a feed that cannot be built must not keep a node busy. */
export class RetryPauses {
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>()

  isOver(name: string, now: number): boolean {
    return (this.#failures.get(name)?.until ?? now) <= now
  }

  fail(name: string, now: number): void {
    const count = (this.#failures.get(name)?.count ?? 0) + 1
    this.#failures.set(name, { count, until: now + Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS) })
  }

  succeed(name: string): void {
    this.#failures.delete(name)
  }
}

export interface BuilderDeps extends Pick<RegistryDeps, 'db' | 'objects' | 'clock' | 'log' | 'settings'> {
  readonly signer: Signer | undefined
  readonly brands: readonly string[]
  readonly fingerprint: string
  readonly stopping: AbortSignal
  readonly tell: () => Promise<void>
}

export interface Builder {
  /** Somebody waits for these: they come before others. */
  prefer(feeds: readonly FeedName[]): void
  /** Until nothing waits, or another node is at it. A feed that cannot be built does not keep the others from it. */
  build(): Promise<void>
}

export function createBuilder(deps: BuilderDeps): Builder {
  const { db, clock, log } = deps
  const pauses = new RetryPauses()
  const preferred = new Map<string, FeedName>()

  const buildOne = async (feed: FeedName) => {
    const name = nameOf(feed)
    if (!pauses.isOver(name, performance.now())) return
    try {
      const draft = await draftFeed(deps, feed)
      if (draft !== undefined && !(await commitFeed(deps, draft, clock.now()))) {
        // The next attempt starts from what is there now.
        pauses.fail(name, performance.now())
        return
      }
      pauses.succeed(name)
      if (draft !== undefined) await deps.tell()
    } catch (error) {
      pauses.fail(name, performance.now())
      log.warn({ err: error }, 'feed build failed, retrying after a pause')
    }
  }

  const takePreferred = () => {
    const feeds = [...preferred.values()]
    preferred.clear()
    return feeds
  }

  const buildAll = async (waiting: readonly FeedName[]) => {
    for (const feed of waiting) {
      for (const first of takePreferred()) await buildOne(first)
      if (deps.stopping.aborted) return
      await buildOne(feed)
    }
  }

  return {
    prefer(feeds) {
      for (const feed of feeds) preferred.set(nameOf(feed), feed)
    },
    async build() {
      for (;;) {
        const waiting = await findWaitingFeeds(db, clock.now())
        const feeds = waiting.filter((feed) => pauses.isOver(nameOf(feed), performance.now()))
        if (feeds.length === 0 || deps.stopping.aborted) return
        if (!(await buildAlone(db, () => buildAll(feeds)))) return
      }
    },
  }
}

function nameOf({ owner, visibility }: FeedName): string {
  return `${owner} ${visibility}`
}
