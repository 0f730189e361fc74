// What no form of the action can do without, with nothing around it: who holds the key and how often they have called, side by
// side, then what the panel shows and who did it, in one statement.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Redis } from 'ioredis'
import { Pool } from 'pg'
import { CONNECTIONS } from '../server.ts'

const WINDOW_SECONDS = 60

const FIND_KEY = `
  select api_keys.id, name, scopes, handle from api_keys join people on people.id = person_id
  where key_hash = $1 and disabled_at is null`

const WRITE = `
  with moved as (
    update workspaces set state_revision = state_revision + 1 where owner = $1 and repo = $2
    returning state_revision as revision, layout -> 'root' ->> 'activeTabId' as tab
  ), shown as (
    insert into panel_states (owner, repo, tab_id, state, revision)
    select $1, $2, tab::uuid, $3::jsonb, revision from moved
    on conflict (owner, repo, tab_id) do update
      set state = panel_states.state || excluded.state, revision = excluded.revision
    returning revision
  ), noted as (
    insert into panel_actions (owner, repo, id, tab_id, actor_kind, actor_name, actor_handle, action, at)
    select $1, $2, revision, tab::uuid, 'api_key', $4, $5, 'webview navigate', now() from moved
  ), actor as (
    insert into workspace_actors (owner, repo, credential_id, kind, name, handle, last_action, last_action_at)
    select $1, $2, $6, 'api_key', $4, $5, 'webview navigate', now() from moved
    on conflict (owner, repo, credential_id) do update
      set last_action_at = excluded.last_action_at, actions = workspace_actors.actions + 1
  )
  select revision from shown`

interface Key {
  readonly id: string
  readonly name: string
  readonly handle: string
}

export type Statements = (
  path: string,
  headers: IncomingHttpHeaders,
  body: { readonly url: string },
) => Promise<void>

export function openStatements(databaseUrl: string, redis: Redis): Statements {
  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS })
  return async (path, headers, { url }) => {
    const [owner, repo] = path.split('/').slice(-2)
    const hash = createHash('sha256').update(String(headers['x-api-key'])).digest()
    const counter = `bare ${owner}/${repo}`
    const [{ rows }] = await Promise.all([
      pool.query<Key>({ name: 'key', text: FIND_KEY, values: [hash] }),
      redis.multi().incr(counter).expire(counter, WINDOW_SECONDS).exec(),
    ])
    const [key] = rows
    if (key === undefined) throw new Error('nobody has this key')
    const values = [owner, repo, JSON.stringify({ url }), key.name, key.handle, key.id]
    const { rowCount } = await pool.query({ name: 'write', text: WRITE, values })
    if (rowCount !== 1) throw new Error('nothing was written')
  }
}
