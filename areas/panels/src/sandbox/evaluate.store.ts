import { Problem } from '@patchbay/contracts/core'
import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { EvalOutcome, WorkspaceRef } from '@patchbay/contracts/panels'
import { requireNotEnded } from '../access/action.store.ts'
import type { NewAction } from '../access/action.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import { enqueue } from './eval.store.ts'
import { CLAIM_GRACE_MS, failure, present, WORDS, wakeKey } from './eval.ts'
import { awaitOutcome } from './eval-wait.store.ts'

/** How much longer than its code a caller waits for a turn, and once it runs for what comes of it. */
const TURN_GRACE_MS = 1_000
const RUN_GRACE_MS = CLAIM_GRACE_MS + 1_000

export interface EvaluationRequest {
  readonly tabId: string
  readonly code: string
  readonly timeoutMs?: number | undefined
}

/** Puts code in the line of its frame and waits for what comes of it, unless no frame is there to run it. */
export async function evaluate(
  deps: PanelsDeps,
  control: Control,
  at: WorkspaceRef,
  { tabId, code, timeoutMs = SANDBOX_LIMITS.defaultTimeoutMs }: EvaluationRequest,
  action: NewAction,
): Promise<EvalOutcome> {
  if (code.includes('\0')) throw new Problem('invalid_request', { detail: 'The code holds a NUL.' })
  const id = newId(deps.createSecret)
  // Before it can be settled: a wake-up that nobody listens for is lost.
  await using waiter = await deps.bus.wakeups.listen(wakeKey(id))
  const [queued, isReady] = await Promise.all([
    enqueue(deps.db, at, { id, tabId, code, timeoutMs }, deps.clock.now(), action),
    isReadyFor(control, at, tabId),
  ])
  if (queued === 'no_tab') throw new Problem('panel_not_found')
  if (queued === 'full')
    throw new Problem('limit_reached', {
      detail: `As much code waits as may wait: ${SANDBOX_LIMITS.queued} evaluations for a panel, 1,000 or 16 MiB for a workspace.`,
    })
  control.notify(at)
  control.runQueued(at, tabId)
  if (!isReady) return present(queued)
  const patience = {
    queuedMs: timeoutMs + TURN_GRACE_MS,
    runningMs: timeoutMs + RUN_GRACE_MS,
    endsWhenPutBack: true,
  }
  const found = await awaitOutcome(deps, at, id, waiter, patience)
  await requireNotEnded(deps.db, at, action.caller)
  return present(found ?? { ...queued, status: 'error', outcome: failure(WORDS.dropped) })
}

/** Where the bus cannot say, code is queued: that is no failure of the call. */
async function isReadyFor(control: Control, at: WorkspaceRef, tabId: string): Promise<boolean> {
  const [acting] = await control.browsers(at).catch(() => [])
  return acting?.mayAct === true && acting.readyTabs.includes(tabId)
}
