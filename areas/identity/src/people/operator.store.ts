import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { IdentityTables } from '../tables.ts'

export interface FoundAccount {
  readonly handle: string
  readonly kind: string
  readonly name: string
  readonly isAdmin: boolean
  readonly disabledAt: Date | null
  readonly sessions: number
  readonly keys: number
  readonly seenAt: Date | null
}

/** People and organizations whose handle or name has the text in it. */
export async function findAccounts(
  db: Db<IdentityTables>,
  text: string,
  limit: number,
  now: Date,
): Promise<FoundAccount[]> {
  const { rows } = await sql<FoundAccount>`
    select handles.handle, handles.kind, coalesce(people.display_name, organizations.display_name, '') as name,
      coalesce(people.is_admin, false) as "isAdmin", people.disabled_at as "disabledAt",
      (select count(*)::int from sessions
        where sessions.person_id = people.id and sessions.expires_at > ${now}) as sessions,
      (select count(*)::int from api_keys where api_keys.person_id = people.id) as keys,
      (select max(last_used_at) from sessions where sessions.person_id = people.id) as "seenAt"
    from handles
      left join people on people.handle = handles.handle
      left join organizations on organizations.handle = handles.handle
    where position(lower(${text}) in lower(handles.handle)) > 0
      or position(lower(${text}) in lower(coalesce(people.display_name, organizations.display_name, ''))) > 0
    order by handles.handle = ${text} desc, handles.handle limit ${limit}`.execute(db)
  return rows
}

export interface FoundKey {
  readonly id: string
  readonly prefix: string
  readonly name: string
  readonly handle: string
  readonly scopes: string
  readonly createdAt: Date
  readonly usedAt: Date | null
}

export async function listApiKeys(
  db: Db<IdentityTables>,
  handle: string,
  limit: number,
): Promise<FoundKey[]> {
  const { rows } = await sql<FoundKey>`
    select api_keys.id, prefix, name, handle, array_to_string(scopes, ' ') as scopes,
      api_keys.created_at as "createdAt", last_used_at as "usedAt"
    from api_keys join people on people.id = api_keys.person_id
    where people.handle = ${handle} order by api_keys.created_at desc, api_keys.id limit ${limit}`.execute(db)
  return rows
}

/** `false`: there is none with this id. */
export async function endApiKey(db: Db<IdentityTables>, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from api_keys where id::text = ${id}`.execute(db)
  return numAffectedRows === 1n
}

export async function countAccounts(db: Db<IdentityTables>, now: Date) {
  const { rows } = await sql<{ people: number; disabled: number; organizations: number; sessions: number }>`
    select count(*)::int as people, count(disabled_at)::int as disabled,
      (select count(*)::int from organizations) as organizations,
      (select count(*)::int from sessions where expires_at > ${now}) as sessions
    from people`.execute(db)
  return rows[0] ?? { people: 0, disabled: 0, organizations: 0, sessions: 0 }
}

export interface OperatorAction {
  readonly at: Date
  readonly action: string
  readonly target: string
  readonly reason: string
}

const KEPT_DAYS = 1_095

/** In the transaction of what was done, where it has one. What is three years old goes. */
export async function noteOperatorAction(db: Db<IdentityTables>, action: OperatorAction): Promise<void> {
  await db.insertInto('operator_actions').values(action).execute()
  await sql`delete from operator_actions where at < ${action.at}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  )
}

/** The newest first. */
export async function listOperatorActions(
  db: Db<IdentityTables>,
  text: string,
  limit: number,
): Promise<OperatorAction[]> {
  const { rows } = await sql<OperatorAction>`
    select at, action, target, reason from operator_actions
    where position(lower(${text}) in lower(concat_ws(' ', action, target, reason))) > 0
    order by id desc limit ${limit}`.execute(db)
  return rows
}
