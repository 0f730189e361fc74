import { MEMBER_ROLES, type MemberRole } from '@patchbay/contracts/identity'

export const ROLE_NAMES: Record<MemberRole, string> = {
  member: 'Member',
  maintainer: 'Maintainer',
  owner: 'Owner',
}

export const ROLE_OPTIONS = MEMBER_ROLES.map((role) => ({ id: role, label: ROLE_NAMES[role] }))
