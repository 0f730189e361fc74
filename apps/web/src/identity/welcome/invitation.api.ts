import type { CallResult } from '@patchbay/contracts/core'
import { postInvitationCheck } from '@patchbay/contracts/identity'
import { ask } from '../../server/server.api.ts'

export type Invitation = CallResult<typeof postInvitationCheck>['body']

export async function checkInvitation(invitation: string, signal: AbortSignal): Promise<Invitation> {
  return (await ask(postInvitationCheck, { body: { invitation } }, { signal })).body
}
