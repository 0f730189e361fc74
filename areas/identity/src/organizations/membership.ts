import type { ProblemCode } from '@patchbay/contracts/core'
import type { MemberRole } from '@patchbay/contracts/identity'

export const ORGANIZATIONS_OWNED = 20
export const MEMBERS_PER_ORGANIZATION = 500
/** In how many a person can be put by others. Without an end their list would have none. */
export const MEMBERSHIPS_PER_PERSON = 200

/** One change of who belongs to an organization, and all that decides it. */
export interface MemberChange {
  /** Of the one who asks; undefined: no member. */
  readonly askingRole: MemberRole | undefined
  readonly isAboutOneself: boolean
  readonly personExists: boolean
  /** Before; undefined: no member. */
  readonly formerRole: MemberRole | undefined
  /** After; undefined: no member. */
  readonly role: MemberRole | undefined
  /** Other people with working accounts who own the organization. */
  readonly otherOwners: number
  readonly members: number
  readonly organizationsOfPerson: number
  readonly organizationsOwnedByPerson: number
}

/** Whether the organization exists is for its members to know, so a stranger hears that there is nothing. */
export function refusalOf(change: MemberChange): ProblemCode | undefined {
  const { askingRole, formerRole, role } = change
  if (askingRole === undefined) return 'not_found'
  const isLeaving = change.isAboutOneself && role === undefined
  if (askingRole !== 'owner' && !isLeaving) return 'not_permitted'
  if (!change.personExists || (role === undefined && formerRole === undefined)) return 'not_found'
  if (formerRole === 'owner' && role !== 'owner' && change.otherOwners === 0) return 'last_owner'
  return isOverLimit(change) ? 'limit_reached' : undefined
}

function isOverLimit({ formerRole, role, ...counted }: MemberChange): boolean {
  if (role === undefined) return false
  const joins = formerRole === undefined
  if (joins && counted.members >= MEMBERS_PER_ORGANIZATION) return true
  if (joins && counted.organizationsOfPerson >= MEMBERSHIPS_PER_PERSON) return true
  return (
    role === 'owner' && formerRole !== 'owner' && counted.organizationsOwnedByPerson >= ORGANIZATIONS_OWNED
  )
}
