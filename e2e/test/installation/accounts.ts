import { createHash, randomBytes } from 'node:crypto'
import type { IdentityTables } from '@patchbay/identity'
import type { Db } from '@patchbay/kernel/postgres'

/** Accounts and sessions written into the database, for tests that are about something else than signing in. */
export interface Books {
  readonly db: Db<IdentityTables>
}

export interface Account {
  readonly id: string
  readonly handle: string
}

const LIFETIME_MS = 90 * 86_400_000
const COOKIE = '__Host-patchbay-session'

export const sha256 = (text: string) => createHash('sha256').update(text).digest()
export const createSecret = () => randomBytes(32).toString('base64url')

let people = 0

/** A handle that nobody has yet in any installation of this process, also when a test is tried again. */
export function newHandle(beginning = 'ada'): string {
  people += 1
  return `${beginning}-${people}`
}

export async function makeAccount(
  { db }: Books,
  handle: string,
  { isAdmin = false, name = handle }: { readonly isAdmin?: boolean; readonly name?: string } = {},
): Promise<Account> {
  const now = new Date()
  await db.insertInto('handles').values({ handle, kind: 'person' }).execute()
  const { id } = await db
    .insertInto('people')
    .values({ handle, display_name: name, is_admin: isAdmin, created_at: now, sessions_seen_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, handle }
}

export interface SessionOptions {
  readonly kind?: 'browser' | 'application'
  readonly label?: string
  readonly userAgent?: string
  readonly network?: string
  readonly ageMs?: number
}

/** Answers the token that holds it. */
export async function openSession(
  { db }: Books,
  account: Account,
  options: SessionOptions = {},
): Promise<string> {
  const { kind = 'browser', label, userAgent, network = '127.0.0.1', ageMs = 0 } = options
  const token = `${kind === 'browser' ? 'bro' : 'tok'}_${createSecret()}`
  const created = new Date(Date.now() - ageMs)
  await db
    .insertInto('sessions')
    .values({
      person_id: account.id,
      kind,
      token_hash: sha256(token),
      label: label ?? null,
      user_agent: userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      network,
      created_at: created,
      last_used_at: created,
      expires_at: new Date(created.getTime() + LIFETIME_MS),
    })
    .execute()
  return token
}

export function sessionCookie(token: string): { readonly name: string; readonly value: string } {
  return { name: COOKIE, value: token }
}

export function csrfToken(token: string): string {
  return sha256(`csrf ${token}`).toString('base64url')
}

/** What a page of this origin sends when the person changes something. */
export function pageHeaders(token: string, origin: string): Record<string, string> {
  return {
    cookie: `${COOKIE}=${token}`,
    origin,
    'x-csrf-token': csrfToken(token),
    'content-type': 'application/json',
  }
}
