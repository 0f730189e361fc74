import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { numbered } from './intents.ts'

/** People with an account and a browser, made in the database and told apart by number: no sign-in is measured here. */
const PEOPLE = 100
/** Sessions that are there before: a table of a few rows would be read as a whole, and no installation has one. */
const OTHER_SESSIONS = 2_000

/** Of a person, and of the session of their browser. */
export function personIdOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number % PEOPLE).padStart(12, '0')}`
}

function browserTokenOf(number: number): string {
  return `bro_${numbered(number % PEOPLE)}`
}

export function browserHashOf(number: number): Buffer {
  return createHash('sha256').update(browserTokenOf(number)).digest()
}

/** The same in SQL. */
export function personIdSql(number: string): string {
  return `('00000000-0000-4000-8000-' || lpad((${number} % ${PEOPLE})::text, 12, '0'))::uuid`
}

export function browserHashSql(number: string): string {
  return `sha256(('bro_' || lpad((${number} % ${PEOPLE})::text, 43, '0'))::bytea)`
}

export async function insertPeople(client: Client): Promise<void> {
  const everybody = `generate_series(0, ${PEOPLE - 1}) as number`
  await client.query(
    `insert into handles (handle, kind) select 'bench-' || number, 'person' from ${everybody}`,
  )
  await client.query(
    `insert into people (id, handle, display_name, created_at, sessions_seen_at)
    select ${personIdSql('number')}, 'bench-' || number, 'Bench', now(), now() from ${everybody}`,
  )
}

export async function insertSessions(client: Client): Promise<void> {
  const columns = 'person_id, kind, token_hash, user_agent, network, created_at, last_used_at, expires_at'
  const times = `now(), now(), now() + interval '30 days'`
  await client.query(
    `insert into sessions (${columns}, id, idle_expires_at)
    select ${personIdSql('number')}, 'browser', ${browserHashSql('number')}, 'Mozilla/5.0', '127.0.0.1', ${times},
      ${personIdSql('number')}, now() + interval '7 days'
    from generate_series(0, ${PEOPLE - 1}) as number`,
  )
  await client.query(
    `insert into sessions (${columns})
    select ${personIdSql('number')}, 'application', sha256(('other ' || number)::bytea), 'other', '127.0.0.1', ${times}
    from generate_series(1, ${OTHER_SESSIONS}) as number`,
  )
}

/** What a browser sends to show whose it is, and its page to show that it is ours. */
export interface Browser {
  readonly cookie: string
  readonly csrf: string
}

export async function openBrowsers(port: number): Promise<readonly Browser[]> {
  const numbers = Array.from({ length: PEOPLE }, (_, number) => number)
  return await Promise.all(
    numbers.map(async (number) => {
      const cookie = `__Host-patchbay-session=${browserTokenOf(number)}`
      const answer = await fetch(`http://127.0.0.1:${port}/auth/session`, { headers: { cookie } })
      const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string | null }
      if (csrf === null) throw new Error(`person ${number} is not signed in`)
      return { cookie, csrf }
    }),
  )
}
