import type { WorkspaceRef } from '@patchbay/contracts/panels'
import type { Waiter } from '@patchbay/kernel/bus'
import type { PanelsDeps } from '../deps.ts'
import { findEvaluation } from './eval.store.ts'
import { type Evaluation, isSettled } from './eval.ts'

/** A wake-up that was lost costs this much. */
const LOOK_AGAIN_MS = 2_000

export interface Patience {
  /** How long while it waits its turn, and in all while it runs. */
  readonly queuedMs: number
  readonly runningMs: number
  /** A frame that turned out not to be ready ends the wait. */
  readonly endsWhenPutBack: boolean
}

/** Whatever it is when patience ends; `undefined` when it is gone. */
export async function awaitOutcome(
  { db, clock }: PanelsDeps,
  at: WorkspaceRef,
  id: string,
  waiter: Waiter,
  { queuedMs, runningMs, endsWhenPutBack }: Patience,
): Promise<Evaluation | undefined> {
  const begunAt = performance.now()
  for (let isWoken = false; ; ) {
    const found = await findEvaluation(db, at, id, clock.now())
    if (found === undefined || isSettled(found)) return found
    if (isWoken && endsWhenPutBack && found.status === 'queued') return found
    const left = begunAt + (found.status === 'running' ? runningMs : queuedMs) - performance.now()
    if (left <= 0) return found
    isWoken = await waiter.next(Math.min(left, LOOK_AGAIN_MS))
  }
}
