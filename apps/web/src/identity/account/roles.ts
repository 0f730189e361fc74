import { MEMBER_ROLES } from '@patchbay/contracts/identity'
import { words } from './words.tsx'

export const ROLE_OPTIONS = MEMBER_ROLES.map((role) => ({ id: role, label: words.roles[role] }))
