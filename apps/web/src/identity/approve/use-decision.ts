import { Problem } from '@patchbay/contracts/core'
import { type IntentDecision, patchIntent } from '@patchbay/contracts/identity'
import { useEffect, useRef, useState } from 'react'
import { UserError } from '../../errors/user-error.ts'
import { type Action, useAction } from '../../server/use-action.ts'
import { isAboutWho, useSession } from '../../session/session-context.tsx'
import { fetchRequest } from './approve.api.ts'
import type { Outcome } from './decided.ts'
import { endingOf } from './endings.ts'
import { words } from './words.tsx'

export interface Decision {
  readonly decide: Action<[IntentDecision]>
  readonly outcome: Outcome | undefined
  /** A decision was sent, and nobody knows whether it arrived. */
  readonly doubt: IntentDecision | undefined
  readonly lookAgain: () => void
}

/** Sends the decision, and finds out what became of it when the answer was lost. */
export function useDecision(token: string | undefined, handle: string | undefined): Decision {
  const { change, refresh } = useSession()
  const [outcome, setOutcome] = useState<Outcome>()
  const [doubt, setDoubt] = useState<IntentDecision>()
  const look = async (asked: string, decision: IntentDecision) => {
    try {
      await fetchRequest(asked)
    } catch (error) {
      const ending = endingOf(error)
      setDoubt(ending === undefined && mayHaveArrived(error) ? decision : undefined)
      if (isAboutWho(error)) await refresh()
      if (ending === undefined) throw error
      setOutcome(afterDoubt(decision, ending))
      return
    }
    setDoubt(undefined)
    throw new UserError(words.stillOpen.title, words.stillOpen.detail)
  }
  const act = useAction(async (decision: IntentDecision, isLook: boolean) => {
    if (token === undefined) return
    if (isLook) return await look(token, decision)
    try {
      await change(patchIntent, { params: { token }, body: { decision } })
      setOutcome(decision === 'approve' ? 'approved' : 'declined')
    } catch (error) {
      const ending = endingOf(error)
      if (ending === undefined && !mayHaveArrived(error)) throw error
      if (ending === undefined) await look(token, decision)
      else setOutcome(ending)
    }
  })
  const lookAgain = () => {
    if (doubt !== undefined) act.run(doubt, true)
  }
  useForgetting(act, handle, lookAgain)
  return { decide: { ...act, run: (decision) => act.run(decision, false) }, outcome, doubt, lookAgain }
}

/** A refusal decided nothing. Without an answer, or with a fault of the server, it may have been done. */
function mayHaveArrived(error: unknown): boolean {
  return !(error instanceof Problem) || error.status >= 500
}

function afterDoubt(decision: IntentDecision, ending: Outcome): Outcome {
  if (ending === 'linked' && decision === 'approve') return 'approved-or-used'
  return ending === 'declined-elsewhere' && decision === 'decline' ? 'declined' : ending
}

/** An error is about the person and the moment it was told to: it goes when another one comes, or the same comes back. */
function useForgetting(act: Action<never>, handle: string | undefined, lookAgain: () => void): void {
  const { error, isPending, forget } = act
  const toldTo = useRef<{ handle: string | undefined }>(undefined)
  useEffect(() => {
    if (error === undefined) toldTo.current = undefined
    else if (toldTo.current === undefined) toldTo.current = { handle }
    else if (toldTo.current.handle !== handle) forget()
  })
  useEffect(() => {
    const comeBack = () => {
      if (document.visibilityState !== 'visible' || isPending || error === undefined) return
      forget()
      lookAgain()
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  })
}
