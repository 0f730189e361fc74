import { Problem, type Provenance } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { lockPerson, lockRequester, type Requester } from '../accounts/person-lock.store.ts'
import type { NewApiKey } from '../keys/api-key.ts'
import { ownersBeyond } from '../keys/permission.store.ts'
import type { Principal } from '../principal.ts'
import type { IdentityTables } from '../tables.ts'
import {
  type KeptTrust,
  OPEN_KEYS,
  TRUSTED_PUBLISHERS_PER_PERSON,
  type WantedTrust,
} from './trusted-publisher.ts'

const LISTED = 1_000

/** As API keys: the person's row is locked meanwhile, so that those that are added at once are counted. */
export async function storeTrust(
  db: Db<IdentityTables>,
  person: Requester & Pick<Principal, 'handle'>,
  wanted: WantedTrust,
  now: Date,
): Promise<KeptTrust> {
  return await inTransaction(db, async (transaction) => {
    await lockRequester(transaction, person)
    const beyond = await ownersBeyond(transaction, person, [wanted.owner])
    if (beyond.size > 0) throw new Problem('not_permitted')
    const { count } = await transaction
      .selectFrom('trusted_publishers')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('person_id', '=', person.personId)
      .executeTakeFirstOrThrow()
    if (count >= TRUSTED_PUBLISHERS_PER_PERSON) throw new Problem('limit_reached')
    const kept = await transaction
      .insertInto('trusted_publishers')
      .values({ ...wanted, person_id: person.personId, created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { ...kept, added_by: person.handle }
  })
}

/** Those of an owner, or of one of its packages, the latest first. */
export async function listTrusts(
  db: Db<IdentityTables>,
  owner: string,
  identifier: string | undefined,
): Promise<KeptTrust[]> {
  return await trusts(db)
    .where('owner', '=', owner)
    .$if(identifier !== undefined, (query) => query.where('identifier', '=', identifier ?? ''))
    .orderBy('trusted_publishers.created_at', 'desc')
    .orderBy('trusted_publishers.id', 'desc')
    .limit(LISTED)
    .execute()
}

/** What a job could publish this package by. Those of a disabled account count for nothing. */
export async function findTrusts(
  db: Db<IdentityTables>,
  { service, owner, identifier }: Pick<WantedTrust, 'service' | 'owner' | 'identifier'>,
): Promise<KeptTrust[]> {
  return await trusts(db)
    .where('owner', '=', owner)
    .where('identifier', '=', identifier)
    .where('service', '=', service)
    .where('people.disabled_at', 'is', null)
    .orderBy('trusted_publishers.created_at')
    .limit(LISTED)
    .execute()
}

function trusts(db: Db<IdentityTables>) {
  return db
    .selectFrom('trusted_publishers')
    .innerJoin('people', 'people.id', 'trusted_publishers.person_id')
    .selectAll('trusted_publishers')
    .select('people.handle as added_by')
}

/** Its keys go with it. Whoever may publish for the owner may remove it: who added it may be gone. */
export async function removeTrust(
  db: Db<IdentityTables>,
  person: Pick<Principal, 'personId' | 'handle'>,
  id: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('trusted_publishers')
    .select('owner')
    .where('id', '=', id)
    .executeTakeFirst()
  if (found === undefined || (await ownersBeyond(db, person, [found.owner])).size > 0) return false
  const { numDeletedRows } = await db.deleteFrom('trusted_publishers').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export interface NewCiKey {
  readonly trust: KeptTrust
  /** Of the repository that asks; the first job decides which one the name means. */
  readonly repositoryId: string
  readonly key: NewApiKey
  readonly provenance: Provenance
  readonly token: { readonly hash: Buffer; readonly expiresAt: Date }
}

/** The key of a job, if its token was not used before and what allowed it is still there. */
export async function storeCiKey(
  db: Db<IdentityTables>,
  { trust, repositoryId, key, provenance, token }: NewCiKey,
): Promise<'stored' | 'used' | 'publisher' | 'repository'> {
  return await inTransaction(db, async (transaction) => {
    if (!(await lockPerson(transaction, trust.person_id))) return 'publisher'
    const { numInsertedOrUpdatedRows: fresh } = await transaction
      .insertInto('used_ci_tokens')
      .values({ token_hash: token.hash, expires_at: token.expiresAt })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (fresh !== 1n) return 'used'
    const held = await transaction
      .updateTable('trusted_publishers')
      .set({ repository_id: repositoryId, last_used_at: key.createdAt })
      .where('id', '=', trust.id)
      .where((row) => row.or([row('repository_id', 'is', null), row('repository_id', '=', repositoryId)]))
      .executeTakeFirst()
    if (held.numUpdatedRows !== 1n) return 'repository'
    const { count } = await transaction
      .selectFrom('api_keys')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('publisher_id', '=', trust.id)
      .where('expires_at', '>', key.createdAt)
      .executeTakeFirstOrThrow()
    if (count >= OPEN_KEYS) throw new Problem('rate_limited')
    await transaction
      .insertInto('api_keys')
      .values({
        person_id: trust.person_id,
        name: key.name,
        prefix: key.prefix,
        key_hash: key.hash,
        scopes: [...key.scopes],
        created_at: key.createdAt,
        expires_at: key.expiresAt,
        publisher_id: trust.id,
        provenance: JSON.stringify(provenance),
      })
      .execute()
    return 'stored'
  })
}
