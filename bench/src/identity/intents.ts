import { createHash } from 'node:crypto'
import type { Client } from 'pg'

/** Intents that are there before anybody asks for them, told apart by number: whoever loads can name the next one. */
export interface IntentRange {
  readonly from: number
  readonly count: number
}

const SECRET_LENGTH = 43
/** What applications send: of the length that RFC 7636 asks for. */
export const VERIFIER = 'bench-verifier-bench-verifier-bench-verifier'
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const LABEL = 'Bench'
export const NETWORK = '127.0.0.1'
export const USER_AGENT = 'patchbay-bench/1'
export const MAX_AGE_SECONDS = 7_776_000

/** Text that looks like a secret and is a number. */
export function numbered(number: number): string {
  return String(number).padStart(SECRET_LENGTH, '0')
}

export function tokenHashOf(number: number): Buffer {
  return createHash('sha256').update(numbered(number)).digest()
}

/** The same in SQL. */
export function tokenHashSql(number: string): string {
  return `sha256(lpad((${number})::text, ${SECRET_LENGTH}, '0')::bytea)`
}

export async function insertPending(
  client: Client,
  { from, count }: IntentRange,
  challenge: string | null,
): Promise<void> {
  await client.query(
    `insert into intents (
      token_hash, created_at, expires_at, max_age_seconds, label, code_challenge, requested_network, requested_user_agent
    )
    select ${tokenHashSql('number')}, now(), now() + interval '15 minutes', $3, $4, $5, $6, $7
    from generate_series($1::bigint, $1::bigint + $2::bigint - 1) as number`,
    [from, count, MAX_AGE_SECONDS, LABEL, challenge, NETWORK, USER_AGENT],
  )
}
