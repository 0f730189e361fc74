import { Problem } from '@patchbay/contracts/core'
import type { IntentDecision, Person } from '@patchbay/contracts/identity'
import { useCallback, useEffect, useState } from 'react'
import { forgetSecret } from '../../secrets/secret-in-address.ts'
import type { Action } from '../../server/use-action.ts'
import { type SessionState, useSession } from '../../session/session-context.tsx'
import { type Answer, type Loaded, useLoaded } from '../../session/use-loaded.ts'
import { useFreshSession } from '../use-fresh-session.ts'
import { fetchRequest, type IntentRequest } from './approve.api.ts'
import { isOutcome, keepOutcome, type Outcome, readOutcome } from './decided.ts'
import { endingOf } from './endings.ts'
import { type Decision, useDecision } from './use-decision.ts'

/** Never answers: there is nothing to ask, or nobody to ask for. */
const wait = () => Promise.withResolvers<never>().promise

/**
 * What an application asks for, once somebody is signed in. Asked again whenever the person comes back to the tab: they
 * went to compare the words, and meanwhile the request may have ended or somebody else begun to watch it.
 */
function useRequest(token: string | undefined, handle: string | undefined): Loaded<IntentRequest> {
  const load = useCallback(
    (signal: AbortSignal) =>
      token === undefined || handle === undefined ? wait() : fetchRequest(token, signal),
    [token, handle],
  )
  const loaded = useLoaded(load)
  const { reload } = loaded
  const isShown = loaded.answer.state === 'loaded'
  useEffect(() => {
    if (!isShown) return undefined
    const comeBack = () => {
      if (document.visibilityState === 'visible') reload()
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [isShown, reload])
  return loaded
}

export interface ReadyApproval {
  readonly state: 'ready'
  readonly asked: IntentRequest
  readonly person: Person
  readonly decide: Action<[IntentDecision]>
  /** Asks the server whether it still stands. */
  readonly lookAgain: () => void
}

export interface UnsureApproval {
  readonly state: 'approve-unsure' | 'decline-unsure'
  readonly error: unknown
  readonly isLooking: boolean
  readonly lookAgain: () => void
}

export type Approval =
  | { readonly state: 'no-link' | 'loading' }
  | { readonly state: Outcome }
  /** With why, where the session ended while the page was open. */
  | { readonly state: 'signed-out'; readonly error: unknown }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  | ReadyApproval
  | UnsureApproval

/** Where an approval stands, from opening the link to its end. */
export function useApproval(token: string | undefined): Approval {
  const { session, refresh } = useSession()
  const person = session.state === 'known' ? session.person : null
  const [earlier] = useState(readOutcome)
  const { answer, reload } = useRequest(token, person?.handle)
  const decision = useDecision(token, person?.handle)
  const retry = useCallback(() => void refresh().then(reload), [refresh, reload])
  useFreshSession()
  const approval =
    token === undefined
      ? { state: earlier ?? ('no-link' as const) }
      : standing({ session, answer, decision, retry, reload })
  useEffect(() => {
    if (!isOutcome(approval.state)) return
    forgetSecret('/approve')
    keepOutcome(approval.state)
  }, [approval.state])
  return approval
}

interface Standing {
  readonly session: SessionState
  readonly answer: Answer<IntentRequest>
  readonly decision: Decision
  readonly retry: () => void
  readonly reload: () => void
}

function standing({ session, answer, decision, retry, reload }: Standing): Approval {
  const { decide, outcome, doubt, lookAgain } = decision
  if (outcome !== undefined) return { state: outcome }
  if (session.state === 'failed') return { state: 'failed', error: session.error, retry }
  if (session.state === 'loading') return { state: 'loading' }
  // The session ended after the page had asked who is signed in.
  const ended = answer.state === 'failed' && isSignInRequired(answer.error) ? answer.error : undefined
  if (session.person === null) return { state: 'signed-out', error: decide.error ?? ended }
  if (doubt !== undefined) {
    return { state: `${doubt}-unsure`, error: decide.error, isLooking: decide.isPending, lookAgain }
  }
  if (answer.state === 'loading' || ended !== undefined) return { state: 'loading' }
  if (answer.state === 'failed') {
    const ending = endingOf(answer.error)
    return ending === undefined ? { state: 'failed', error: answer.error, retry } : { state: ending }
  }
  return { state: 'ready', asked: answer.value, person: session.person, decide, lookAgain: reload }
}

function isSignInRequired(error: unknown): boolean {
  return error instanceof Problem && error.code === 'sign_in_required'
}
