import { hash } from 'node:crypto'
import { MOST_FEED_ADDRESSES } from '@patchbay/contracts/limits'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { RegistryTables } from '../tables.ts'

export interface FeedAddress {
  readonly id: string
  readonly label: string
  readonly createdBy: string
  readonly createdAt: Date
}

const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer')

/** `undefined`: the limit is reached. Counted under a lock of the owner's: those made at once would not see each other. */
export async function insertFeedAddress(
  db: Db<RegistryTables>,
  owner: string,
  { label, createdBy, createdAt }: Omit<FeedAddress, 'id'>,
  token: string,
): Promise<FeedAddress | undefined> {
  return await inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`feed addresses of ${owner}`}, 0))`.execute(tx)
    const { rows } = await sql<{ id: string }>`
      insert into feed_addresses (owner, label, token_hash, created_by, created_at)
      select ${owner}, ${label}, ${tokenHash(token)}, ${createdBy}, ${createdAt}
      where (select count(*) from feed_addresses where owner = ${owner}) < ${MOST_FEED_ADDRESSES}
      returning id`.execute(tx)
    const [made] = rows
    return made && { id: made.id, label, createdBy, createdAt }
  })
}

export async function listFeedAddresses(db: Db<RegistryTables>, owner: string): Promise<FeedAddress[]> {
  return db
    .selectFrom('feed_addresses')
    .select(['id', 'label', 'created_by as createdBy', 'created_at as createdAt'])
    .where('owner', '=', owner)
    .orderBy('created_at')
    .execute()
}

export async function removeFeedAddress(db: Db<RegistryTables>, owner: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('feed_addresses')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Asked on every request: what was revoked is over on every node at that moment. */
export async function findSharedOwner(db: Db<RegistryTables>, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feed_addresses')
    .select('owner')
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
  return row?.owner
}
