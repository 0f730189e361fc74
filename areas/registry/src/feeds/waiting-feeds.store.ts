import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { FeedName } from '../files/addresses.ts'
import { INSTALLATION } from '../installation.ts'
import type { RegistryTables } from '../tables.ts'

export interface WaitingFeed extends FeedName {
  readonly revision: number
}

const LOOKED_AT_AGAIN_MS = 3_600_000
export const MOST_WAITING = 500

/** The feeds that are older than their packages, the installation's last: it is the most work, and others wait for theirs. */
export async function findWaitingFeeds(
  db: Db<RegistryTables>,
  now: Date,
  among?: readonly FeedName[],
): Promise<WaitingFeed[]> {
  return db
    .selectFrom('feeds')
    .select(['owner', 'visibility', 'revision'])
    .whereRef('built_revision', '<', 'revision')
    .where(isWorthALook(now))
    .$if(among !== undefined, (query) =>
      query.where((feed) =>
        feed.or((among ?? []).map(({ owner, visibility }) => feed.and({ owner, visibility }))),
      ),
    )
    .orderBy(sql`owner = ''`)
    .orderBy('owner')
    .limit(MOST_WAITING)
    .execute()
}

/** How many feeds are older than their packages, for whoever watches. */
export async function countWaitingFeeds(db: Db<RegistryTables>, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('feeds')
    .select(sql<number>`count(*)::int`.as('count'))
    .whereRef('built_revision', '<', 'revision')
    .where(isWorthALook(now))
    .executeTakeFirstOrThrow()
  return count
}

export async function areBuilt(
  db: Db<RegistryTables>,
  feeds: readonly WaitingFeed[],
  now: Date,
): Promise<boolean> {
  if (feeds.length === 0) return true
  const wanted = sql.join(
    feeds.map((each) => sql`(${each.owner}, ${each.visibility}, ${each.revision}::bigint)`),
  )
  const { rows } = await sql<{ waiting: boolean }>`
    select exists (
      select from feeds join (values ${wanted}) wanted (owner, visibility, revision)
        on feeds.owner = wanted.owner and feeds.visibility = wanted.visibility
      where feeds.built_revision < wanted.revision and ${isWorthALook(now)}) as waiting`.execute(db)
  return rows[0]?.waiting === false
}

/** A feed that is too large is not read again with every publish: that would cost as much as building it. */
function isWorthALook(now: Date) {
  const before = new Date(now.getTime() - LOOKED_AT_AGAIN_MS)
  return sql<boolean>`not (feeds.is_too_large and feeds.looked_at > ${before})`
}

/** A new installation has a repository with nothing in it, not none: people add it to their tools first. */
export async function openInstallationFeed(db: Db<RegistryTables>): Promise<void> {
  await db
    .insertInto('feeds')
    .values({ owner: INSTALLATION, visibility: 'public', revision: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Public packages that wait for a signature: any, or those that an owner changed until then. */
export async function hasMarks(
  db: Db<RegistryTables>,
  { until, owner }: { readonly until?: Date; readonly owner?: string | undefined },
): Promise<boolean> {
  const row = await db
    .selectFrom('sparse_marks as m')
    .select('m.identifier')
    .$if(until !== undefined, (query) => query.where('m.marked_at', '<=', until ?? new Date(0)))
    .$if(owner !== undefined, (query) =>
      query
        // What is signed for the first time is no change of theirs.
        .where('m.marked_at', '>', new Date(0))
        .where('m.identifier', 'in', (packages) =>
          packages
            .selectFrom('packages as p')
            .select('p.identifier')
            .where('p.owner', '=', owner ?? ''),
        ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
