import { Problem } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { InferResult } from 'kysely'
import { lockRequester, type Requester } from '../accounts/person-lock.store.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import type { IdentityTables } from '../tables.ts'
import { KEYS_PER_PERSON, type KeptApiKey, type NewApiKey, USE_NOTED_EVERY_MS } from './api-key.ts'
import { keyHash } from './key-text.ts'
import { ownersBeyond } from './permission.store.ts'
import { ownerOf, ownersOf } from './permission.ts'

const KEPT = ['id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'expires_at'] as const

type KeyQuery = ReturnType<typeof compileKeyQuery>
const keyQueries = new WeakMap<Db<IdentityTables>, KeyQuery>()

/** Compiled once: every call of a script begins with it, and building it anew would cost as much as its answer. */
function queryOf(db: Db<IdentityTables>): KeyQuery {
  const query = keyQueries.get(db) ?? compileKeyQuery(db)
  keyQueries.set(db, query)
  return query
}

/** Its parameters are the hash and the time, whatever these are here. */
function compileKeyQuery(db: Db<IdentityTables>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('people', 'people.id', 'api_keys.person_id')
    .select(['api_keys.id', 'api_keys.name', 'scopes', 'last_used_at', 'expires_at', 'provenance'])
    .select(['people.id as person_id', 'handle', 'display_name', 'is_admin'])
    .where('key_hash', '=', Buffer.alloc(0))
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', new Date(0))]))
    .where('people.disabled_at', 'is', null)
    .compile()
}

/** Whom an API key speaks for. */
export async function findByApiKey(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  key: string,
): Promise<Principal | undefined> {
  const hash = keyHash(key)
  if (hash === undefined) return undefined
  const now = clock.now()
  const query = { ...queryOf(db), parameters: [hash, now] }
  const { rows } = await db.executeQuery<InferResult<KeyQuery>[number]>(query)
  const [found] = rows
  if (found === undefined) return undefined
  if (now.getTime() - (found.last_used_at?.getTime() ?? -Infinity) >= USE_NOTED_EVERY_MS) {
    await noteUse(db, found.id, now)
  }
  return {
    personId: found.person_id,
    handle: found.handle,
    displayName: found.display_name,
    isAdmin: found.is_admin,
    credential: {
      kind: 'api_key',
      id: found.id,
      label: found.name,
      expiresAt: found.expires_at,
      scopes: found.scopes,
      provenance: found.provenance,
    },
  }
}

/** Of many requests at once one writes. */
async function noteUse(db: Db<IdentityTables>, id: string, now: Date): Promise<void> {
  const due = new Date(now.getTime() - USE_NOTED_EVERY_MS)
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', due)]))
    .execute()
}

/** The person's row is locked meanwhile: keys that are made at once would each count all but the others. */
export async function storeApiKey(
  db: Db<IdentityTables>,
  person: Requester & Pick<Principal, 'handle'>,
  key: NewApiKey,
  /** Of its scopes, those that name a workspace that the person was let into. */
  invited: ReadonlySet<string> = new Set(),
): Promise<KeptApiKey> {
  return await inTransaction(db, async (transaction) => {
    await lockRequester(transaction, person)
    const beyond = await ownersBeyond(transaction, person, ownersOf(key.scopes))
    const foreign = key.scopes.filter((scope) => beyond.has(ownerOf(scope)))
    if (!foreign.every((scope) => invited.has(scope))) throw new Problem('not_permitted')
    const { count } = await transaction
      .selectFrom('api_keys')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('person_id', '=', person.personId)
      .where('publisher_id', 'is', null)
      .executeTakeFirstOrThrow()
    if (count >= KEYS_PER_PERSON) throw new Problem('limit_reached')
    return await transaction
      .insertInto('api_keys')
      .values({
        person_id: person.personId,
        name: key.name,
        prefix: key.prefix,
        key_hash: key.hash,
        scopes: [...key.scopes],
        created_at: key.createdAt,
        expires_at: key.expiresAt,
      })
      .returning(KEPT)
      .executeTakeFirstOrThrow()
  })
}

export async function listApiKeys(db: Db<IdentityTables>, personId: string): Promise<KeptApiKey[]> {
  return await db
    .selectFrom('api_keys')
    .select(KEPT)
    .where('person_id', '=', personId)
    // Those of CI jobs end by themselves, with what allowed them.
    .where('publisher_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(KEYS_PER_PERSON)
    .execute()
}

export async function revokeApiKey(db: Db<IdentityTables>, personId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
