import { Problem } from '@patchbay/contracts'
import { inTransaction } from '@patchbay/kernel/postgres'
import { createInvitation } from '../accounts/invitation.store.ts'
import type { IdentityDeps } from '../deps.ts'
import { lockPerson } from './person-lock.store.ts'

const INVITATION_SECONDS = 7 * 86_400

/** The administrator's row is locked meanwhile: an invitation must not slip past the end of their account. */
export async function invite(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'createSecret'>,
  administratorId: string,
  makesAdmin: boolean,
): Promise<{ readonly secret: string; readonly expiresAt: Date }> {
  return await inTransaction(deps.db, async (db) => {
    if (!(await lockPerson(db, administratorId))) throw new Problem('sign_in_required')
    return await createInvitation(
      { ...deps, db },
      { makesAdmin, createdBy: administratorId, ttlSeconds: INVITATION_SECONDS },
    )
  })
}
