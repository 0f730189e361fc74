import { Problem } from '@patchbay/contracts/core'
import type { MemberRole } from '@patchbay/contracts/identity'
import { type Db, inTransaction } from '@patchbay/kernel/postgres'
import type { IdentityTables } from '../tables.ts'
import { weighMemberChange } from './member-change.store.ts'
import { MEMBERS_PER_ORGANIZATION, refusalOf } from './membership.ts'

export interface ListedMember {
  readonly handle: string
  readonly display_name: string
  readonly role: MemberRole
}

/** Empty for whoever is no member, as for an organization that does not exist. */
export async function listMembers(
  db: Db<IdentityTables>,
  organization: string,
  askingId: string,
): Promise<ListedMember[]> {
  return await db
    .selectFrom('organizations')
    .innerJoin('members as asking', 'asking.organization_id', 'organizations.id')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .innerJoin('people', 'people.id', 'members.person_id')
    .select(['people.handle', 'people.display_name', 'members.role'])
    .where('organizations.handle', '=', organization)
    .where('asking.person_id', '=', askingId)
    .orderBy('people.handle')
    .limit(MEMBERS_PER_ORGANIZATION)
    .execute()
}

export interface WantedMember {
  readonly organization: string
  readonly person: string
  /** Undefined: to be a member no more. */
  readonly role: MemberRole | undefined
  readonly askingId: string
  readonly now: Date
}

/**
 * The organization's row is locked meanwhile: two owners who remove each other at once would each see the other stay.
 */
export async function changeMember(db: Db<IdentityTables>, wanted: WantedMember): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { organizationId, personId, change } = await weighMemberChange(transaction, wanted)
    const refusal = refusalOf(change)
    if (refusal !== undefined) throw new Problem(refusal)
    if (wanted.role === undefined) {
      await transaction
        .deleteFrom('members')
        .where('organization_id', '=', organizationId)
        .where('person_id', '=', personId)
        .execute()
      return
    }
    const { role, now } = wanted
    await transaction
      .insertInto('members')
      .values({ organization_id: organizationId, person_id: personId, role, created_at: now })
      .onConflict((conflict) => conflict.columns(['organization_id', 'person_id']).doUpdateSet({ role }))
      .execute()
  })
}
