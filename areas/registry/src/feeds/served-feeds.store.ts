import { Problem } from '@patchbay/contracts/core'
import type { Db } from '@patchbay/kernel/postgres'
import type { FeedName } from '../files/addresses.ts'
import { BoundedCache } from '../files/bounded-cache.ts'
import { PRIVATE, REVALIDATED, type Representation, representText } from '../files/representation.ts'
import { INSTALLATION } from '../installation.ts'
import type { RegistryTables } from '../tables.ts'
import type { FeedState } from './feed.ts'

interface ServedFeed {
  readonly readAt: number
  readonly isTooLarge: boolean
  readonly repositories: Readonly<Record<string, string>>
}

export interface ServedFeeds {
  /** At most a second old. */
  find(feed: FeedName, brand: string): Promise<Representation>
  isTooLarge(feed: FeedName): Promise<boolean>
  forget(): void
}

const LONGEST_MS = 1_000
const MOST_FEEDS = 5_000
const MOST_CHARACTERS = 16 * 1024 * 1024

export function createServedFeeds(db: Db<RegistryTables>): ServedFeeds {
  const rows = new BoundedCache<ServedFeed>({ maxWeight: MOST_FEEDS, weigh: () => 1 })
  // Apart from the rows: a feed that did not change is not compressed again every second.
  const texts = new BoundedCache<{ text: string; representation: Representation }>({
    maxWeight: MOST_CHARACTERS,
    weigh: ({ text }) => text.length * 3,
  })

  const represent = (feed: FeedName, brand: string, row: ServedFeed): Representation => {
    if (row.isTooLarge) throw tooLarge(feed)
    const text = row.repositories[brand]
    if (text === undefined) throw new Problem('not_found')
    const key = `${keyOf(feed)} ${brand}`
    const known = texts.peek(key)
    if (known?.text === text) return known.representation
    const cacheControl = feed.visibility === 'public' ? REVALIDATED : PRIVATE
    const representation = representText(text, 'application/json', cacheControl)
    texts.put(key, { text, representation })
    return representation
  }

  const readRow = (feed: FeedName): Promise<ServedFeed | undefined> => {
    const key = keyOf(feed)
    const known = rows.peek(key)
    if (known !== undefined && performance.now() - known.readAt > LONGEST_MS) rows.drop(key)
    return rows.load(key, () => readServed(db, feed))
  }

  return {
    async find(feed, brand) {
      const row = await readRow(feed)
      if (row === undefined) throw new Problem('not_found')
      return represent(feed, brand, row)
    },
    async isTooLarge(feed) {
      const row = await readRow(feed)
      return row?.isTooLarge ?? false
    },
    forget: () => rows.clear(),
  }
}

async function readServed(
  db: Db<RegistryTables>,
  { owner, visibility }: FeedName,
): Promise<ServedFeed | undefined> {
  const readAt = performance.now()
  const row = await db
    .selectFrom('feeds')
    .select(['is_too_large', 'files'])
    .where('owner', '=', owner)
    .where('visibility', '=', visibility)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const files = row.files as FeedState | null
  return { readAt, isTooLarge: row.is_too_large, repositories: files?.repositories ?? {} }
}

function keyOf({ owner, visibility }: FeedName): string {
  return `${owner} ${visibility}`
}

function tooLarge({ owner }: FeedName): Problem {
  const advice =
    owner === INSTALLATION
      ? 'Add the repositories of the owners that you need instead'
      : 'Use the sparse files'
  return new Problem('feed_too_large', { detail: `${advice}, or search.` })
}
