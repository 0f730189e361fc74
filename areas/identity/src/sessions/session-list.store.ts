import type { Db } from '@patchbay/kernel/postgres'
import type { ExpressionBuilder } from 'kysely'
import type { IdentityTables } from '../tables.ts'
import type { SessionPage, SessionPosition } from './session-list.ts'

export interface SessionQuery {
  readonly personId: string
  readonly now: Date
  readonly after: SessionPosition | undefined
  readonly limit: number
}

export async function listSessions(
  db: Db<IdentityTables>,
  { personId, now, after, limit }: SessionQuery,
): Promise<SessionPage> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['sessions.id', 'kind', 'label', 'user_agent', 'network', 'last_used_at', 'expires_at'])
    .select(['sessions.created_at', 'people.sessions_seen_at'])
    .where('sessions.person_id', '=', personId)
    .where(isLive(now))
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row(
          row.refTuple('sessions.created_at', 'sessions.id'),
          '<',
          row.tuple(after?.createdAt ?? now, after?.id ?? ''),
        ),
      ),
    )
    .orderBy('sessions.created_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(limit + 1)
    .execute()
  const sessions = rows.slice(0, limit).map((row) => ({
    id: row.id,
    kind: row.kind,
    label: row.label,
    userAgent: row.user_agent,
    network: row.network,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    isNew: row.kind === 'application' && row.created_at > row.sessions_seen_at,
  }))
  return { sessions, nextAfter: rows.length > limit ? sessions.at(-1) : undefined }
}

/** Never back: of two pages that were looked at, the later one counts. */
export async function markSessionsSeen(db: Db<IdentityTables>, personId: string, until: Date): Promise<void> {
  await db
    .updateTable('people')
    .set({ sessions_seen_at: until })
    .where('id', '=', personId)
    .where('sessions_seen_at', '<', until)
    .execute()
}

/** Answers how many there were. Those that had ended by themselves do not count: nobody saw them in the list. */
export async function endOtherSessions(
  db: Db<IdentityTables>,
  personId: string,
  keptId: string,
  now: Date,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('id', '!=', keptId)
    .where(isLive(now))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function isLive(now: Date) {
  return (row: ExpressionBuilder<IdentityTables, 'sessions'>) =>
    row.and([
      row('sessions.expires_at', '>', now),
      row.or([row('sessions.idle_expires_at', 'is', null), row('sessions.idle_expires_at', '>', now)]),
    ])
}
