import {
  getWorkspaceInvitations,
  getWorkspaceMembers,
  type WorkspaceInvitation,
  type WorkspaceMember,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { ask } from '../../server/server.api.ts'

export interface Members {
  readonly items: readonly WorkspaceMember[]
  readonly mayManage: boolean
}

export const fetchMembers = async (workspace: WorkspaceRef, signal: AbortSignal): Promise<Members> =>
  (await ask(getWorkspaceMembers, { params: workspace }, { signal })).body

export const fetchInvitations = async (
  workspace: WorkspaceRef,
  signal: AbortSignal,
): Promise<{ readonly items: readonly WorkspaceInvitation[] }> =>
  (await ask(getWorkspaceInvitations, { params: workspace }, { signal })).body
