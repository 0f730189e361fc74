import { Problem } from '@patchbay/contracts/core'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityTables } from '../tables.ts'
import type { PeoplePage, PersonEntry } from './people-list.ts'

export async function listPeople(
  { db }: Pick<IdentityDeps, 'db'>,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<PeoplePage> {
  const rows = await db
    .selectFrom('people')
    .select(['handle', 'display_name', 'is_admin', 'disabled_at', 'created_at'])
    .$if(after !== undefined, (query) => query.where('handle', '>', after ?? ''))
    .orderBy('handle')
    .limit(limit + 1)
    .execute()
  const people = rows.slice(0, limit).map(entryOf)
  return { people, nextAfter: rows.length > limit ? people.at(-1)?.handle : undefined }
}

/** Somebody who can act: a disabled account is nobody. */
export async function findPerson(
  db: Db<IdentityTables>,
  handle: string,
): Promise<{ readonly personId: string } | undefined> {
  return await db
    .selectFrom('people')
    .select('id as personId')
    .where('handle', '=', handle)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Whether anybody can administer the installation. */
export async function hasAdministrator({ db }: Pick<IdentityDeps, 'db'>): Promise<boolean> {
  const administrator = await db
    .selectFrom('people')
    .select('id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return administrator !== undefined
}

/**
 * Disables or enables an account. Disabling ends every session in the same transaction, in a statement after the one
 * that waits for the row: whoever is signing in at that moment holds it, and their session must be found.
 */
export async function setDisabled(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  handle: string,
  isDisabled: boolean,
): Promise<PersonEntry> {
  return await inTransaction(db, async (transaction) => {
    const { person, administrators } = await lockWithAdministrators(transaction, handle)
    if (isDisabled && administrators.length === 1 && administrators[0] === person.id) {
      throw new Problem('last_admin')
    }
    const row = await transaction
      .updateTable('people')
      .set({ disabled_at: isDisabled ? (person.disabled_at ?? clock.now()) : null })
      .where('id', '=', person.id)
      .returning(['handle', 'display_name', 'is_admin', 'disabled_at', 'created_at'])
      .executeTakeFirstOrThrow()
    // Also on the way back: nothing that was left behind while the account was disabled may work again.
    if (isDisabled || person.disabled_at !== null) await endAccess(transaction, person.id)
    return entryOf(row)
  })
}

/** Ends everything that a person, or who has taken over their account, is signed in with; they can sign in again. */
export async function endAllAccess({ db }: Pick<IdentityDeps, 'db'>, handle: string): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const person = await transaction
      .selectFrom('people')
      .select('id')
      .where('handle', '=', handle)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (person === undefined) throw new Problem('not_found')
    await endAccess(transaction, person.id)
  })
}

/**
 * For good: whoever shuts somebody out expects that nothing of theirs works again by itself. Invitations too, or an
 * administrator would come back through one of their own.
 */
async function endAccess(transaction: Db<IdentityTables>, personId: string): Promise<void> {
  await transaction.deleteFrom('sessions').where('person_id', '=', personId).execute()
  await transaction.deleteFrom('api_keys').where('person_id', '=', personId).execute()
  await transaction.deleteFrom('trusted_publishers').where('person_id', '=', personId).execute()
  await transaction.deleteFrom('invitations').where('created_by', '=', personId).execute()
}

/** All of them, in one order: two administrators who disable each other at once would each see the other stay. */
async function lockWithAdministrators(transaction: Db<IdentityTables>, handle: string) {
  const rows = await transaction
    .selectFrom('people')
    .select(['id', 'handle', 'is_admin', 'disabled_at'])
    .where((row) =>
      row.or([
        row('handle', '=', handle),
        row.and([row('is_admin', '=', true), row('disabled_at', 'is', null)]),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const person = rows.find((row) => row.handle === handle)
  if (person === undefined) throw new Problem('not_found')
  const administrators = rows
    .filter(({ is_admin: isAdmin, disabled_at: disabledAt }) => isAdmin && disabledAt === null)
    .map(({ id }) => id)
  return { person, administrators }
}

function entryOf(row: {
  readonly handle: string
  readonly display_name: string
  readonly is_admin: boolean
  readonly disabled_at: Date | null
  readonly created_at: Date
}): PersonEntry {
  return {
    handle: row.handle,
    displayName: row.display_name,
    isAdmin: row.is_admin,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  }
}
