import type { IdentityDeps } from '../../src/deps.ts'
import { sha256 } from '../../src/secrets.ts'
import type { Browser } from '../browser.ts'

export interface ApplicationSession {
  readonly id: string
  readonly token: string
}

/** A session as an approved intent leaves it. */
export async function giveApplicationSession(
  { db, clock, createSecret }: IdentityDeps,
  personId: string,
  { label = 'patchbay CLI', lifetimeSeconds = 7_776_000 } = {},
): Promise<ApplicationSession> {
  const token = `tok_${createSecret()}`
  const now = clock.now()
  const { id } = await db
    .insertInto('sessions')
    .values({
      person_id: personId,
      kind: 'application',
      token_hash: sha256(token),
      label,
      user_agent: 'patchbay-cli/0.1.0 linux',
      network: '192.0.2.7',
      created_at: now,
      last_used_at: now,
      idle_expires_at: null,
      expires_at: new Date(now.getTime() + lifetimeSeconds * 1000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}

export interface MadeKey {
  readonly key: string
  readonly id: string
}

export async function makeKey(
  browser: Browser,
  wanted: Readonly<Record<string, unknown>> = {},
): Promise<MadeKey> {
  const response = await browser.change('POST', '/auth/keys', {
    name: 'deploy',
    scopes: [`packages:${browser.handle}/*`],
    ...wanted,
  })
  if (response.status !== 201) throw new Error(`no key: ${response.status} ${await response.text()}`)
  const { key, api_key: kept } = (await response.json()) as { key: string; api_key: { id: string } }
  return { key, id: kept.id }
}

export const asApplication = ({ token }: ApplicationSession) => ({
  headers: { authorization: `Bearer ${token}` },
})
export const withKey = ({ key }: MadeKey) => ({ headers: { 'x-api-key': key } })

/** Statuses with how often each came, as in `{ 201: 1, 409: 19 }`. */
export function tally(responses: readonly Response[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code
}
