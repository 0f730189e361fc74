import { sha256 } from '../installation/accounts.ts'
import type { Site } from './site.ts'

/** What an application keeps of the answer. */
export interface Intent {
  readonly token: string
  readonly auth_url: string
  readonly confirmation_code: string
}

interface IntentWish {
  readonly label?: string
  readonly max_age?: number
}

/** As an application begins a login. */
export async function openIntent(
  site: Site,
  wish: IntentWish = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Intent> {
  const response = await fetch(`${site.url}/auth/intents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'patchbay-cli/0.1.0 linux', ...headers },
    body: JSON.stringify(wish),
  })
  if (response.status !== 201) throw new Error(`no intent: ${response.status} ${await response.text()}`)
  return (await response.json()) as Intent
}

/** Moves the moment at which it ends. */
export async function endIntentIn({ db }: Site, intent: Intent, milliseconds: number): Promise<void> {
  await db
    .updateTable('intents')
    .set({ expires_at: new Date(Date.now() + milliseconds) })
    .where('token_hash', '=', tokenHash(intent))
    .execute()
}

export async function changeIntent(
  { db }: Site,
  intent: Intent,
  values: { requested_network?: string; is_watched_by_others?: boolean; declined_at?: Date },
): Promise<void> {
  await db.updateTable('intents').set(values).where('token_hash', '=', tokenHash(intent)).execute()
}

const tokenHash = ({ token }: Intent) => sha256(token)
