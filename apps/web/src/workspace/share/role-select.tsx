import { WORKSPACE_ROLES, type WorkspaceRole } from '@patchbay/contracts/panels'
import { Select } from '../../components/select.tsx'
import type { Size } from '../../components/types.ts'
import { words } from './words.tsx'

const OPTIONS = WORKSPACE_ROLES.map((id) => ({ id, label: words.roles[id] }))

interface RoleSelectProps {
  label: string
  isLabelHidden?: boolean
  size?: Size
  isDisabled?: boolean
  value: WorkspaceRole
  onChange: (role: WorkspaceRole) => void
}

export function RoleSelect({ onChange, ...props }: RoleSelectProps) {
  return <Select {...props} options={OPTIONS} onChange={(role) => onChange(role as WorkspaceRole)} />
}
