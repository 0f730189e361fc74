import type { Requester } from '../accounts/person-lock.store.ts'
import type { IdentityDeps } from '../deps.ts'
import { sessionToken, sessionTokenHash } from '../sessions/session.ts'
import { declineIfOpen, type Intents, linkIfOpen } from './intent.store.ts'
import { type Intent, intentTokenHash, wakeKey } from './intent.ts'
import { seal } from './sealing.ts'

/** Gives the application a session of this person; `undefined` when the intent was not open. */
export async function approve(
  deps: IdentityDeps,
  token: string,
  approver: Requester,
): Promise<Intent | undefined> {
  const { db, clock, createSecret, log } = deps
  const tokenHash = intentTokenHash(token)
  const session = sessionToken('application', createSecret())
  const sessionHash = sessionTokenHash('application', session)
  if (tokenHash === undefined || sessionHash === undefined) return undefined
  const linked = await linkIfOpen(
    db,
    {
      tokenHash,
      approver,
      sessionTokenHash: sessionHash,
      sealedSessionToken: seal(token, sessionHash, session),
    },
    clock.now(),
  )
  if (linked === undefined) return undefined
  log.info(
    { personId: approver.personId, label: linked.label, maxAgeSeconds: linked.maxAgeSeconds },
    'application session opened',
  )
  await wake(deps, tokenHash)
  return linked
}

export async function decline(
  deps: IdentityDeps & { readonly intents: Intents },
  token: string,
): Promise<Intent | undefined> {
  const { db, clock, intents } = deps
  const tokenHash = intentTokenHash(token)
  if (tokenHash === undefined || !(await declineIfOpen(db, tokenHash, clock.now()))) return undefined
  await wake(deps, tokenHash)
  return await intents.find(tokenHash)
}

/** After the commit. The decision stands whatever becomes of this: who is not woken looks by itself. */
async function wake({ wakeups, log }: IdentityDeps, tokenHash: Buffer): Promise<void> {
  try {
    await wakeups.notify(wakeKey(tokenHash))
  } catch (error) {
    log.warn({ err: error }, 'failed to notify waiting clients of a decided intent')
  }
}
