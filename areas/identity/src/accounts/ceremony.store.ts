import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '@patchbay/kernel/postgres'
import { sql } from 'kysely'
import type { IdentityDeps } from '../deps.ts'
import { isSecret, sha256 } from '../secrets.ts'
import { dropCookie, readCookie, writeCookie } from '../sessions/credentials.ts'
import type { IdentityTables } from '../tables.ts'
import { CEREMONY_COOKIES, CEREMONY_SECONDS, type CeremonyData, type CeremonyKind } from './ceremony.ts'

/** Remembers what this browser began. Answers the cookie that it must bring back. */
export async function beginCeremony<Kind extends CeremonyKind>(
  { db, clock, createSecret }: IdentityDeps,
  kind: Kind,
  data: CeremonyData[Kind],
): Promise<string> {
  const now = clock.now()
  const secret = createSecret()
  await db
    .insertInto('ceremonies')
    .values({
      secret_hash: sha256(secret),
      kind,
      data: JSON.stringify(data),
      expires_at: new Date(now.getTime() + CEREMONY_SECONDS * 1000),
    })
    .execute()
  const { name, sameSite } = CEREMONY_COOKIES[kind]
  return writeCookie(name, secret, { maxAgeSeconds: CEREMONY_SECONDS, sameSite })
}

/** Looks without taking: for a page that is about to ask the person something. */
export async function findCeremony<Kind extends CeremonyKind>(
  db: Db<IdentityTables>,
  kind: Kind,
  headers: IncomingHttpHeaders,
  now: Date,
): Promise<CeremonyData[Kind] | undefined> {
  const hash = ceremonyHash(kind, headers)
  if (hash === undefined) return undefined
  const row = await db
    .selectFrom('ceremonies')
    .select('data')
    .where('secret_hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.data as CeremonyData[Kind] | undefined
}

/**
 * Takes it: of two answers at once, one finds it. `holding` is part of the question, so that an answer that was made up
 * does not end what the browser really began.
 */
export async function takeCeremony<Kind extends CeremonyKind>(
  db: Db<IdentityTables>,
  kind: Kind,
  headers: IncomingHttpHeaders,
  now: Date,
  holding: Partial<CeremonyData[Kind]> = {},
): Promise<CeremonyData[Kind] | undefined> {
  const hash = ceremonyHash(kind, headers)
  if (hash === undefined) return undefined
  const row = await db
    .deleteFrom('ceremonies')
    .where('secret_hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .where((of) => sql<boolean>`${of.ref('data')} @> ${JSON.stringify(holding)}::jsonb`)
    .returning('data')
    .executeTakeFirst()
  return row?.data as CeremonyData[Kind] | undefined
}

export function endCeremonyCookie(kind: CeremonyKind): string {
  return dropCookie(CEREMONY_COOKIES[kind].name)
}

function ceremonyHash(kind: CeremonyKind, headers: IncomingHttpHeaders): Buffer | undefined {
  const secret = readCookie(headers, CEREMONY_COOKIES[kind].name)
  return secret !== undefined && isSecret(secret) ? sha256(secret) : undefined
}
