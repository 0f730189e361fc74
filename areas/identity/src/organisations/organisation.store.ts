import { type Organisation, Problem } from '@patchbay/contracts'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { isReservedHandle } from '../accounts/handle.ts'
import { lockPerson } from '../people/person-lock.store.ts'
import type { IdentityTables } from '../tables.ts'
import { MEMBERSHIPS_PER_PERSON, ORGANISATIONS_OWNED } from './membership.ts'

export interface NewOrganisation {
  readonly handle: string
  readonly displayName: string
  readonly ownerId: string
  readonly now: Date
}

/** The owner's row is locked meanwhile: organisations that are made at once would each count all but the others. */
export async function createOrganisation(
  db: Db<IdentityTables>,
  organisation: NewOrganisation,
): Promise<void> {
  if (isReservedHandle(organisation.handle)) throw new Problem('handle_taken')
  await inTransaction(db, async (transaction) => {
    if (!(await lockPerson(transaction, organisation.ownerId))) throw new Problem('sign_in_required')
    if ((await countOwned(transaction, organisation.ownerId)) >= ORGANISATIONS_OWNED) {
      throw new Problem('limit_reached')
    }
    if (!(await insertOrganisation(transaction, organisation))) throw new Problem('handle_taken')
  })
}

/** Handle, organisation and owner in one statement; whoever comes second to the handle inserts nothing at all. */
async function insertOrganisation(
  db: Db<IdentityTables>,
  { handle, displayName, ownerId, now }: NewOrganisation,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .with('taken', (row) =>
      row
        .insertInto('handles')
        .values({ handle, kind: 'organisation' })
        .onConflict((conflict) => conflict.doNothing())
        .returning('handle'),
    )
    .with('made', (row) =>
      row
        .insertInto('organisations')
        .columns(['handle', 'display_name', 'created_at'])
        .expression((from) =>
          from
            .selectFrom('taken')
            .select((made) => [
              'taken.handle',
              made.val(displayName).as('display_name'),
              made.cast<Date>(made.val(now), 'timestamptz').as('created_at'),
            ]),
        )
        .returning('id'),
    )
    .insertInto('members')
    .columns(['organisation_id', 'person_id', 'role', 'created_at'])
    .expression((from) =>
      from
        .selectFrom('made')
        .select((made) => [
          'made.id',
          made.cast<string>(made.val(ownerId), 'uuid').as('person_id'),
          made.val('owner').as('role'),
          made.cast<Date>(made.val(now), 'timestamptz').as('created_at'),
        ]),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

async function countOwned(db: Db<IdentityTables>, personId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return count
}

/** The organisations a person belongs to. The limits on memberships make the end of the list the real one. */
export async function listOrganisations(db: Db<IdentityTables>, personId: string): Promise<Organisation[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('organisations', 'organisations.id', 'members.organisation_id')
    .select((row) => [
      'organisations.handle',
      'organisations.display_name',
      'members.role',
      row
        .selectFrom('members as everybody')
        .whereRef('everybody.organisation_id', '=', 'organisations.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('members'),
    ])
    .where('members.person_id', '=', personId)
    .orderBy('organisations.handle')
    .limit(MEMBERSHIPS_PER_PERSON + ORGANISATIONS_OWNED)
    .execute()
  return rows.map((row) => ({ ...row, members: row.members ?? 0 }))
}
