import type { Db } from '@patchbay/kernel/postgres'
import { BatchQueue } from '@patchbay/primitives/async'
import { sql } from 'kysely'
import { findByHash, hashQuery } from '../by-hash.store.ts'
import type { Principal } from '../principal.ts'
import type { IdentityTables } from '../tables.ts'
import { type Origin, type SessionKind, type StoredSession, TOUCH_INTERVAL_MS } from './session.ts'

export interface NewSession {
  readonly personId: string
  readonly tokenHash: Buffer
  readonly origin: Origin
  readonly now: Date
  readonly expiresAt: Date
  readonly idleExpiresAt: Date
}

/** A session in a browser. Those of applications are made by linking an intent, and in no other way. */
export async function openBrowserSession(db: Db<IdentityTables>, session: NewSession): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sessions')
    .columns([
      'person_id',
      'kind',
      'token_hash',
      'user_agent',
      'network',
      'created_at',
      'last_used_at',
      'idle_expires_at',
      'expires_at',
    ])
    // From the person's row, so that no session begins while the account is being disabled.
    .expression((from) =>
      from
        .selectFrom('people')
        .select((row) => [
          'people.id',
          row.val('browser').as('kind'),
          row.val(session.tokenHash).as('token_hash'),
          row.val(session.origin.userAgent).as('user_agent'),
          row.val(session.origin.network).as('network'),
          row.val(session.now).as('created_at'),
          row.val(session.now).as('last_used_at'),
          row.val(session.idleExpiresAt).as('idle_expires_at'),
          row.val(session.expiresAt).as('expires_at'),
        ])
        .where('people.id', '=', session.personId)
        .where('people.disabled_at', 'is', null)
        .forShare(),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Runs on every request that has a session, so it is written out: building it would cost as much as running it. */
const FIND = hashQuery(
  `select sessions.id, sessions.kind, sessions.token_hash, sessions.person_id, people.handle, people.display_name,
  people.is_admin, sessions.label, sessions.last_used_at, sessions.idle_expires_at, sessions.expires_at
from sessions
join people on people.id = sessions.person_id and people.disabled_at is null`,
  'sessions.token_hash',
)

interface SessionRow {
  readonly id: string
  readonly kind: SessionKind
  readonly token_hash: Buffer
  readonly person_id: string
  readonly handle: string
  readonly display_name: string
  readonly is_admin: boolean
  readonly label: string | null
  readonly last_used_at: Date
  readonly idle_expires_at: Date | null
  readonly expires_at: Date
}

/** The session with this hash, unless its person is disabled. */
export type FindSession = (tokenHash: Buffer) => Promise<StoredSession | undefined>

/** Finds as many at a time as one turn of the event loop brings. */
export function createFindSession(db: Db<IdentityTables>): FindSession {
  const sessions = new BatchQueue({
    collect: 'per_turn',
    async run(tokenHashes: readonly Buffer[]) {
      const rows = await findByHash<SessionRow>(db, FIND, tokenHashes)
      return rows.map((row) => (row === undefined ? undefined : readSession(row)))
    },
  })
  return (tokenHash) => sessions.add(tokenHash)
}

function readSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    kind: row.kind,
    personId: row.person_id,
    handle: row.handle,
    displayName: row.display_name,
    isAdmin: row.is_admin,
    label: row.label,
    lastUsedAt: row.last_used_at,
    idleExpiresAt: row.idle_expires_at,
    expiresAt: row.expires_at,
  }
}

/** Whom a session speaks for while it counts: it is there, not over, and its person is not disabled. */
export async function findOpenSession(
  db: Db<IdentityTables>,
  id: string,
  now: Date,
): Promise<Principal | undefined> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['people.id as personId', 'people.handle', 'people.display_name as displayName'])
    .select([
      'people.is_admin as isAdmin',
      'sessions.kind',
      'sessions.label',
      'sessions.expires_at as expiresAt',
    ])
    .where('sessions.id', '=', id)
    .where('sessions.expires_at', '>', now)
    .where((row) => row.or([row('idle_expires_at', 'is', null), row('idle_expires_at', '>', now)]))
    .where('people.disabled_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { kind, label, expiresAt, ...person } = found
  return { ...person, credential: { kind, id, label, expiresAt, scopes: null } }
}

/** Notes that a session is in use; of many requests at once one writes. */
export async function touchSession(
  db: Db<IdentityTables>,
  id: string,
  now: Date,
  idleExpiresAt: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set((row) => ({
      last_used_at: now,
      // Null stays null: a session without an idle limit does not get one by being used.
      idle_expires_at: sql<Date | null>`case when ${row.ref('idle_expires_at')} is null then null else ${idleExpiresAt}::timestamptz end`,
    }))
    .where('id', '=', id)
    .where('last_used_at', '<=', new Date(now.getTime() - TOUCH_INTERVAL_MS))
    .execute()
}

/** For a browser that is signed in anew: whosever session it had. */
export async function endBrowserSession(db: Db<IdentityTables>, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).where('kind', '=', 'browser').execute()
}

export async function endSession(db: Db<IdentityTables>, personId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countNewApplicationSessions(
  db: Db<IdentityTables>,
  personId: string,
  now: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('sessions.person_id', '=', personId)
    .where('sessions.kind', '=', 'application')
    .where('sessions.expires_at', '>', now)
    .whereRef('sessions.created_at', '>', 'people.sessions_seen_at')
    .executeTakeFirstOrThrow()
  return count
}
