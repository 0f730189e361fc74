import type { CallResult } from '@patchbay/contracts/core'
import { postInvitationLook } from '@patchbay/contracts/panels'
import { ask } from '../../server/server.api.ts'

type WorkspaceInvited = CallResult<typeof postInvitationLook>['body']

export async function lookAtInvitation(invitation: string, signal: AbortSignal): Promise<WorkspaceInvited> {
  return (await ask(postInvitationLook, { body: { invitation } }, { signal })).body
}
