import { Problem } from '@patchbay/contracts/core'
import type { Organization } from '@patchbay/contracts/identity'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import { isReservedHandle } from '../accounts/handle.ts'
import { lockPerson } from '../accounts/person-lock.store.ts'
import type { IdentityTables } from '../tables.ts'
import { MEMBERSHIPS_PER_PERSON, ORGANIZATIONS_OWNED } from './membership.ts'

export interface NewOrganization {
  readonly handle: string
  readonly displayName: string
  readonly ownerId: string
  readonly now: Date
}

/** The owner's row is locked meanwhile: organizations that are made at once would each count all but the others. */
export async function createOrganization(
  db: Db<IdentityTables>,
  organization: NewOrganization,
): Promise<void> {
  if (isReservedHandle(organization.handle)) throw new Problem('handle_taken')
  await inTransaction(db, async (transaction) => {
    if (!(await lockPerson(transaction, organization.ownerId))) throw new Problem('sign_in_required')
    if ((await countOwned(transaction, organization.ownerId)) >= ORGANIZATIONS_OWNED) {
      throw new Problem('limit_reached')
    }
    if (!(await insertOrganization(transaction, organization))) throw new Problem('handle_taken')
  })
}

/** Handle, organization and owner in one statement; whoever comes second to the handle inserts nothing at all. */
async function insertOrganization(
  db: Db<IdentityTables>,
  { handle, displayName, ownerId, now }: NewOrganization,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .with('taken', (row) =>
      row
        .insertInto('handles')
        .values({ handle, kind: 'organization' })
        .onConflict((conflict) => conflict.doNothing())
        .returning('handle'),
    )
    .with('made', (row) =>
      row
        .insertInto('organizations')
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
    .columns(['organization_id', 'person_id', 'role', 'created_at'])
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

/** The organizations a person belongs to. The limits on memberships make the end of the list the real one. */
export async function listOrganizations(db: Db<IdentityTables>, personId: string): Promise<Organization[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select((row) => [
      'organizations.handle',
      'organizations.display_name',
      'members.role',
      row
        .selectFrom('members as everybody')
        .whereRef('everybody.organization_id', '=', 'organizations.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('members'),
    ])
    .where('members.person_id', '=', personId)
    .orderBy('organizations.handle')
    .limit(MEMBERSHIPS_PER_PERSON + ORGANIZATIONS_OWNED)
    .execute()
  return rows.map((row) => ({ ...row, members: row.members ?? 0 }))
}
