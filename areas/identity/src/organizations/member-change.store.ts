import { Problem } from '@patchbay/contracts/core'
import type { MemberRole } from '@patchbay/contracts/identity'
import type { Db } from '@patchbay/kernel/postgres'
import type { IdentityTables } from '../tables.ts'
import type { MemberChange } from './membership.ts'

/** Stands for a person whom nobody knows, so that owners alone hear that there is no such person. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

export interface WeighedChange {
  readonly organizationId: string
  readonly personId: string
  readonly change: MemberChange
}

/** Locks the organization and the person, always in this order, then reads what decides the change. */
export async function weighMemberChange(
  transaction: Db<IdentityTables>,
  wanted: {
    readonly organization: string
    readonly person: string
    readonly role: MemberRole | undefined
    readonly askingId: string
  },
): Promise<WeighedChange> {
  const organization = await transaction
    .selectFrom('organizations')
    .select('id')
    .where('handle', '=', wanted.organization)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (organization === undefined) throw new Problem('not_found')
  const person = await transaction
    .selectFrom('people')
    .select('id')
    .where('handle', '=', wanted.person)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const personId = person?.id ?? NOBODY
  const counted = await readMembership(transaction, organization.id, personId, wanted.askingId)
  return {
    organizationId: organization.id,
    personId,
    change: {
      askingRole: counted.asking_role ?? undefined,
      isAboutOneself: personId === wanted.askingId,
      personExists: person !== undefined,
      formerRole: counted.former_role ?? undefined,
      role: wanted.role,
      otherOwners: counted.other_owners ?? 0,
      members: counted.members ?? 0,
      organizationsOfPerson: counted.organizations_of_person ?? 0,
      organizationsOwnedByPerson: counted.organizations_owned_by_person ?? 0,
    },
  }
}

/** A statement of its own, after the locks: one that had waited for them would still see what was there before. */
async function readMembership(
  transaction: Db<IdentityTables>,
  organizationId: string,
  personId: string,
  askingId: string,
) {
  return await transaction
    .selectNoFrom((row) => {
      const members = row.selectFrom('members').where('organization_id', '=', organizationId)
      const memberships = row
        .selectFrom('members')
        .where('person_id', '=', personId)
        .select((inner) => inner.fn.countAll<number>().as('count'))
      return [
        members.where('person_id', '=', askingId).select('role').as('asking_role'),
        members.where('person_id', '=', personId).select('role').as('former_role'),
        members
          .innerJoin('people', 'people.id', 'members.person_id')
          .where('role', '=', 'owner')
          .where('person_id', '!=', personId)
          .where('people.disabled_at', 'is', null)
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .as('other_owners'),
        members.select((inner) => inner.fn.countAll<number>().as('count')).as('members'),
        memberships.as('organizations_of_person'),
        memberships.where('role', '=', 'owner').as('organizations_owned_by_person'),
      ]
    })
    .executeTakeFirstOrThrow()
}
