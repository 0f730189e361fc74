import { inTransaction } from '@patchbay/kernel/postgres'
import { createInvitation } from '../accounts/invitation.store.ts'
import { lockRequester, type Requester } from '../accounts/person-lock.store.ts'
import type { IdentityDeps } from '../deps.ts'

const INVITATION_SECONDS = 7 * 86_400

/** The administrator's row is locked meanwhile: an invitation must not slip past the end of their account or access. */
export async function invite(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'createSecret'>,
  administrator: Requester,
  makesAdmin: boolean,
): Promise<{ readonly secret: string; readonly expiresAt: Date }> {
  return await inTransaction(deps.db, async (db) => {
    await lockRequester(db, administrator)
    return await createInvitation(
      { ...deps, db },
      { makesAdmin, createdBy: administrator.personId, ttlSeconds: INVITATION_SECONDS },
    )
  })
}
