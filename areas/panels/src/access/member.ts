import type { WorkspaceMember, WorkspaceRole } from '@patchbay/contracts/panels'

export interface Member {
  readonly personId: string
  readonly handle: string
}

export function roleAllows(role: WorkspaceRole, access: 'read' | 'write'): boolean {
  return access === 'read' || role === 'editor'
}

/** Whether somebody with the first role may do all that the second would let them do. */
export function isAsMuch(role: WorkspaceRole, wanted: WorkspaceRole): boolean {
  return role === wanted || role === 'editor'
}

interface MemberRow {
  readonly handle: string
  readonly role: WorkspaceRole
  readonly invited_by: string
  readonly joined_at: Date
}

export function presentMember({ handle, role, invited_by, joined_at }: MemberRow): WorkspaceMember {
  return { handle, role, invitedBy: invited_by, joinedAt: joined_at.toISOString() }
}
