import type { Db } from '@patchbay/kernel/postgres'
import { BatchQueue } from '@patchbay/primitives/async'
import { CompiledQuery } from 'kysely'
import type { Requester } from '../accounts/person-lock.store.ts'
import { findByHash, hashQuery } from '../by-hash.store.ts'
import type { Origin } from '../sessions/session.ts'
import type { IdentityTables } from '../tables.ts'
import type { Intent } from './intent.ts'

/**
 * The statements of this file carry every login, so they are written out: the text is fixed, PostgreSQL plans it once per
 * connection, and a reviewer reads what runs. Intents are made and looked up by the batch, as many as one turn of the
 * event loop brings.
 */
const INSERT = `insert into intents (
  token_hash, created_at, expires_at, max_age_seconds, label, code_challenge, requested_network, requested_user_agent
)`
const INSERT_ONE = `${INSERT} values ($1, $2, $3, $4, $5, $6, $7, $8)`
const INSERT_MANY = `${INSERT} select * from unnest(
  $1::bytea[], $2::timestamptz[], $3::timestamptz[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[])`

const FIND = hashQuery(
  `select
  intents.token_hash, intents.created_at, intents.expires_at, intents.max_age_seconds, intents.label,
  intents.code_challenge, intents.requested_network, intents.requested_user_agent, intents.watcher,
  intents.is_watched_by_others, intents.linked_at, intents.declined_at, intents.expired_at, intents.retriever,
  intents.sealed_session_token, sessions.token_hash as session_token_hash, sessions.expires_at as session_expires_at
from intents
left join sessions on sessions.id = intents.session_id`,
  'intents.token_hash',
)

/**
 * The WHERE clause is the lock: of any number of browsers at once, exactly one links. The person's row is shared with other
 * logins of theirs and held against whoever ends their access, who would not see the new session. After a wait the
 * statement still sees what was there before it, so the session that approves is locked too: one that was ended meanwhile
 * is passed over. The person first, as whoever ends access has it.
 */
const LINK = `with person as materialized (
  select id from people where id = $5 and disabled_at is null for share
), session as materialized (
  select gen_random_uuid() as id, person.id as person_id
  from person join sessions as approving on approving.id = $6 and approving.person_id = person.id
  for key share of approving
), linked as (
  update intents set linked_at = $2, session_id = session.id, sealed_session_token = $4
  from session
  where intents.token_hash = $1 and linked_at is null and declined_at is null and expired_at is null
    and expires_at > $2
  returning session.id, session.person_id, max_age_seconds, label, requested_user_agent, requested_network,
    created_at, intents.expires_at, code_challenge
), opened as (
  insert into sessions (
    id, person_id, kind, token_hash, label, user_agent, network, created_at, last_used_at, expires_at, intent_hash
  )
  select id, person_id, 'application', $3, label, requested_user_agent, requested_network, $2, $2,
    $2::timestamptz + make_interval(secs => max_age_seconds), $1
  from linked
)
select created_at, expires_at, max_age_seconds, label, code_challenge from linked`

const DECLINE = `update intents set declined_at = $2
where token_hash = $1 and linked_at is null and declined_at is null and expired_at is null and expires_at > $2`

const EXPIRE = `update intents set expired_at = coalesce(expired_at, $2)
where token_hash = $1 and linked_at is null and declined_at is null`

const CONSUME = `update intents set consumed_at = coalesce(consumed_at, $2), retriever = coalesce(retriever, $3)
where token_hash = $1 and linked_at is not null and (retriever is null or retriever = $3)`

const NOTE_WATCHER = `update intents set
  watcher = coalesce(watcher, $2),
  is_watched_by_others = is_watched_by_others or coalesce(watcher <> $2, false)
where token_hash = $1 and linked_at is null`

const FIND_DECIDED = `select token_hash from intents
where token_hash = any($1) and (linked_at is not null or declined_at is not null)`

export interface NewIntent {
  readonly tokenHash: Buffer
  readonly intent: Intent
  readonly origin: Origin
}

async function insertIntents(db: Db<IdentityTables>, intents: readonly NewIntent[]): Promise<void[]> {
  const rows = intents.map(({ tokenHash, intent, origin }) => [
    tokenHash,
    intent.createdAt,
    intent.expiresAt,
    intent.maxAgeSeconds,
    intent.label,
    intent.codeChallenge,
    origin.network,
    origin.userAgent,
  ])
  const [first = []] = rows
  const query =
    rows.length === 1
      ? CompiledQuery.raw(INSERT_ONE, first)
      : CompiledQuery.raw(
          INSERT_MANY,
          first.map((_, column) => rows.map((row) => row[column])),
        )
  await db.executeQuery(query)
  return intents.map(() => undefined)
}

export interface StoredIntent extends Intent {
  readonly requestedFrom: Origin
  readonly watcher: Buffer | null
  readonly isWatchedByOthers: boolean
  readonly retriever: Buffer | null
  readonly sealedSessionToken: Buffer | null
  /** Null when the session was ended. One that is over by its age is still here. */
  readonly session: { readonly tokenHash: Buffer; readonly expiresAt: Date } | null
}

interface IntentRow {
  readonly created_at: Date
  readonly expires_at: Date
  readonly max_age_seconds: number
  readonly label: string | null
  readonly code_challenge: string | null
}

interface StoredIntentRow extends IntentRow {
  readonly token_hash: Buffer
  readonly requested_network: string
  readonly requested_user_agent: string
  readonly watcher: Buffer | null
  readonly is_watched_by_others: boolean
  readonly linked_at: Date | null
  readonly declined_at: Date | null
  readonly expired_at: Date | null
  readonly retriever: Buffer | null
  readonly sealed_session_token: Buffer | null
  readonly session_token_hash: Buffer | null
  readonly session_expires_at: Date | null
}

/** Makes and finds intents, as many at a time as one turn of the event loop brings. */
export interface Intents {
  insert(intent: NewIntent): Promise<void>
  find(tokenHash: Buffer): Promise<StoredIntent | undefined>
}

export function createIntents(db: Db<IdentityTables>): Intents {
  const inserts = new BatchQueue({
    collect: 'per_turn',
    run: (intents: readonly NewIntent[]) => insertIntents(db, intents),
  })
  const finds = new BatchQueue({
    collect: 'per_turn',
    run: (tokenHashes: readonly Buffer[]) => findIntents(db, tokenHashes),
  })
  return { insert: (intent) => inserts.add(intent), find: (tokenHash) => finds.add(tokenHash) }
}

async function findIntents(
  db: Db<IdentityTables>,
  tokenHashes: readonly Buffer[],
): Promise<(StoredIntent | undefined)[]> {
  const rows = await findByHash<StoredIntentRow>(db, FIND, tokenHashes)
  return rows.map((row) => (row === undefined ? undefined : readStoredIntent(row)))
}

function readStoredIntent(row: StoredIntentRow): StoredIntent {
  const { session_token_hash: tokenHash, session_expires_at: expiresAt } = row
  return {
    ...readIntent(row),
    linkedAt: row.linked_at,
    declinedAt: row.declined_at,
    expiredAt: row.expired_at,
    requestedFrom: { network: row.requested_network, userAgent: row.requested_user_agent },
    watcher: row.watcher,
    isWatchedByOthers: row.is_watched_by_others,
    retriever: row.retriever,
    sealedSessionToken: row.sealed_session_token,
    session: tokenHash === null || expiresAt === null ? null : { tokenHash, expiresAt },
  }
}

function readIntent(row: IntentRow): Omit<Intent, 'linkedAt' | 'declinedAt' | 'expiredAt'> {
  return {
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    maxAgeSeconds: row.max_age_seconds,
    label: row.label,
    codeChallenge: row.code_challenge,
  }
}

export interface Link {
  readonly tokenHash: Buffer
  readonly approver: Requester
  readonly sessionTokenHash: Buffer
  readonly sealedSessionToken: Buffer
}

/** The intent as it is now linked, or `undefined` when somebody or something was first. */
export async function linkIfOpen(
  db: Db<IdentityTables>,
  { tokenHash, approver, sessionTokenHash, sealedSessionToken }: Link,
  now: Date,
): Promise<Intent | undefined> {
  const { rows } = await db.executeQuery<IntentRow>(
    CompiledQuery.raw(LINK, [
      tokenHash,
      now,
      sessionTokenHash,
      sealedSessionToken,
      approver.personId,
      approver.credential.id,
    ]),
  )
  const [row] = rows
  return row === undefined
    ? undefined
    : { ...readIntent(row), linkedAt: now, declinedAt: null, expiredAt: null }
}

export async function declineIfOpen(db: Db<IdentityTables>, tokenHash: Buffer, now: Date): Promise<boolean> {
  return await changesARow(db, CompiledQuery.raw(DECLINE, [tokenHash, now]))
}

/** Closes an intent that has expired, before anybody is told so. `false`: somebody has decided on it after all. */
export async function expireIfOpen(db: Db<IdentityTables>, tokenHash: Buffer, now: Date): Promise<boolean> {
  return await changesARow(db, CompiledQuery.raw(EXPIRE, [tokenHash, now]))
}

/** Whether this retriever is the one that the intent belongs to, from now on or already. */
export async function consumeFor(
  db: Db<IdentityTables>,
  tokenHash: Buffer,
  retriever: Buffer,
  now: Date,
): Promise<boolean> {
  return await changesARow(db, CompiledQuery.raw(CONSUME, [tokenHash, now, retriever]))
}

export async function noteWatcher(db: Db<IdentityTables>, tokenHash: Buffer, watcher: Buffer): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(NOTE_WATCHER, [tokenHash, watcher]))
}

/** Those of the given intents that somebody has approved or declined. */
export async function findDecided(
  db: Db<IdentityTables>,
  tokenHashes: readonly Buffer[],
): Promise<readonly Buffer[]> {
  const { rows } = await db.executeQuery<{ token_hash: Buffer }>(
    CompiledQuery.raw(FIND_DECIDED, [tokenHashes]),
  )
  return rows.map((row) => row.token_hash)
}

async function changesARow(db: Db<IdentityTables>, query: CompiledQuery): Promise<boolean> {
  const { numAffectedRows = 0n } = await db.executeQuery(query)
  return numAffectedRows > 0n
}
