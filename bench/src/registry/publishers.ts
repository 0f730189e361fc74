import { createHash } from 'node:crypto'
import type { Client } from 'pg'

const TOKEN_LENGTH = 43

/** Somebody whose name is an owner, signed in as an application. */
export interface Publisher {
  readonly owner: string
  readonly token: string
}

export async function insertPublisher(client: Client, owner: string): Promise<Publisher> {
  const token = `tok_${createHash('sha256').update(owner).digest('base64url').padEnd(TOKEN_LENGTH, 'x')}`
  await client.query(`insert into handles (handle, kind) values ($1, 'person') on conflict do nothing`, [
    owner,
  ])
  const { rows } = await client.query<{ id: string }>(
    `insert into people (id, handle, display_name, created_at, sessions_seen_at)
    values (gen_random_uuid(), $1, $1, now(), now()) returning id`,
    [owner],
  )
  await client.query(
    `insert into sessions (person_id, kind, token_hash, user_agent, network, created_at, last_used_at, expires_at)
    values ($1, 'application', $2, 'bench', '127.0.0.1', now(), now(), now() + interval '30 days')`,
    [rows[0]?.id, createHash('sha256').update(token).digest()],
  )
  return { owner, token }
}
