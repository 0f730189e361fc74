import { type MemberRole, Problem } from '@patchbay/contracts'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { IdentityTables } from '../tables.ts'
import { MEMBERS_PER_ORGANISATION, refusalOf } from './membership.ts'
import { weighMemberChange } from './member-change.store.ts'

export interface ListedMember {
  readonly handle: string
  readonly display_name: string
  readonly role: MemberRole
}

/** Empty for whoever is no member, as for an organisation that does not exist. */
export async function listMembers(
  db: Db<IdentityTables>,
  organisation: string,
  askingId: string,
): Promise<ListedMember[]> {
  return await db
    .selectFrom('organisations')
    .innerJoin('members as asking', 'asking.organisation_id', 'organisations.id')
    .innerJoin('members', 'members.organisation_id', 'organisations.id')
    .innerJoin('people', 'people.id', 'members.person_id')
    .select(['people.handle', 'people.display_name', 'members.role'])
    .where('organisations.handle', '=', organisation)
    .where('asking.person_id', '=', askingId)
    .orderBy('people.handle')
    .limit(MEMBERS_PER_ORGANISATION)
    .execute()
}

export interface WantedMember {
  readonly organisation: string
  readonly person: string
  /** Undefined: to be a member no more. */
  readonly role: MemberRole | undefined
  readonly askingId: string
  readonly now: Date
}

/**
 * The organisation's row is locked meanwhile: two owners who remove each other at once would each see the other stay.
 */
export async function changeMember(db: Db<IdentityTables>, wanted: WantedMember): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { organisationId, personId, change } = await weighMemberChange(transaction, wanted)
    const refusal = refusalOf(change)
    if (refusal !== undefined) throw new Problem(refusal)
    if (wanted.role === undefined) {
      await transaction
        .deleteFrom('members')
        .where('organisation_id', '=', organisationId)
        .where('person_id', '=', personId)
        .execute()
      return
    }
    const { role, now } = wanted
    await transaction
      .insertInto('members')
      .values({ organisation_id: organisationId, person_id: personId, role, created_at: now })
      .onConflict((conflict) => conflict.columns(['organisation_id', 'person_id']).doUpdateSet({ role }))
      .execute()
  })
}
