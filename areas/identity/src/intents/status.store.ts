import { Problem } from '@patchbay/contracts/core'
import type { IdentityDeps } from '../deps.ts'
import { type Caller, callerId, maySee, retrieverOf } from './caller.ts'
import { consumeFor, expireIfOpen, type Intents, noteWatcher, type StoredIntent } from './intent.store.ts'
import { intentTokenHash, refusal } from './intent.ts'
import { unseal } from './sealing.ts'

export type IntentStatus =
  | { readonly state: 'pending'; readonly expiresAt: Date }
  | { readonly state: 'authenticated'; readonly sessionToken: string }

/** What it takes to tell where an intent stands. */
export interface StatusDeps extends Pick<IdentityDeps, 'db' | 'clock'> {
  readonly intents: Intents
}

/**
 * The intent, if it is there for this caller to look at. Whoever looks at a pending one is noted: a caller that may see it
 * unnoticed could wait for the approval and take the session before the application does.
 */
export async function findFor(
  { db, clock, intents }: StatusDeps,
  token: string,
  caller: Caller,
): Promise<{ readonly tokenHash: Buffer; readonly intent: StoredIntent }> {
  const tokenHash = intentTokenHash(token)
  if (tokenHash === undefined) throw new Problem('intent_not_found')
  const find = async () => {
    const found = await intents.find(tokenHash)
    if (found === undefined || !maySee(found.codeChallenge, caller)) throw new Problem('intent_not_found')
    return found
  }
  let intent = await find()
  let refused = refusal(intent, clock.now())
  if (refused?.code === 'intent_expired' && intent.expiredAt === null) {
    // An approval that began in time may commit after this was read. Whoever writes first is right.
    if (!(await expireIfOpen(db, tokenHash, clock.now()))) {
      intent = await find()
      refused = refusal(intent, clock.now())
    }
  }
  if (refused !== undefined) throw refused
  if (intent.linkedAt === null) await watchFor(db, tokenHash, intent, caller)
  return { tokenHash, intent }
}

/** Where an intent stands for this caller. Polls and streams both ask here, so they cannot disagree. */
export async function readStatus(deps: StatusDeps, token: string, caller: Caller): Promise<IntentStatus> {
  const { tokenHash, intent } = await findFor(deps, token, caller)
  if (intent.linkedAt === null) return { state: 'pending', expiresAt: intent.expiresAt }
  return { state: 'authenticated', sessionToken: await retrieve(deps, token, tokenHash, intent, caller) }
}

/**
 * Refuses whom `readStatus` would refuse, and retrieves nothing: the answer to a HEAD throws the token away, which must not
 * be used up by it.
 */
export async function checkStatus(deps: StatusDeps, token: string, caller: Caller): Promise<void> {
  const { intent } = await findFor(deps, token, caller)
  if (intent.linkedAt === null) return
  const isOwn = intent.retriever?.equals(retrieverOf(intent.codeChallenge, caller)) ?? true
  if (!isOwn) throw new Problem('intent_consumed')
  requireSession(intent, deps.clock.now())
}

async function retrieve(
  { db, clock }: StatusDeps,
  token: string,
  tokenHash: Buffer,
  intent: StoredIntent,
  caller: Caller,
): Promise<string> {
  const now = clock.now()
  const own = retrieverOf(intent.codeChallenge, caller)
  // Whether a session lives is not for a stranger to know: whose intent it is comes first.
  const isOwn = intent.retriever?.equals(own) ?? (await consumeFor(db, tokenHash, own, now))
  if (!isOwn) throw new Problem('intent_consumed')
  const { sessionTokenHash, sealed } = requireSession(intent, now)
  return unseal(token, sessionTokenHash, sealed)
}

function requireSession({ session, sealedSessionToken: sealed }: StoredIntent, now: Date) {
  if (session === null || now >= session.expiresAt || sealed === null)
    throw new Problem('intent_session_ended')
  return { sessionTokenHash: session.tokenHash, sealed }
}

/** Notes who watches; one write for the first and one for the second. A verifier tells callers apart better than that. */
async function watchFor(
  db: StatusDeps['db'],
  tokenHash: Buffer,
  { codeChallenge, watcher, isWatchedByOthers }: StoredIntent,
  caller: Caller,
): Promise<void> {
  if (codeChallenge !== null || isWatchedByOthers) return
  const id = callerId(caller)
  if (watcher === null || !watcher.equals(id)) await noteWatcher(db, tokenHash, id)
}
