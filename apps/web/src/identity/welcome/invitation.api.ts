import { type CallResult, postInvitationCheck } from '@patchbay/contracts'
import { ask } from '../../server/server.api.ts'

export type Invitation = CallResult<typeof postInvitationCheck>['body']

export async function checkInvitation(invitation: string, signal: AbortSignal): Promise<Invitation> {
  return (await ask(postInvitationCheck, { body: { invitation } }, { signal })).body
}
