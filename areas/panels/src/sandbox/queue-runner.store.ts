import type { SandboxResult, WorkspaceRef } from '@patchbay/contracts/panels'
import type { CommandOutcome, Execute, QueueRunner } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import { failure, limited, lineKey, WORDS, wakeKey } from './eval.ts'
import { type Claim, claimNext, finish, putBack } from './eval-claim.store.ts'

/** A wake-up that was lost costs this much. */
const LOOK_AGAIN_MS = 2_000

/** What this node runs for one tab. */
interface Line {
  readonly at: WorkspaceRef
  readonly tabId: string
  /** Of the browser that was the last to offer its frame. */
  execute: Execute
  isCalledAgain: boolean
  settled: Promise<void>
}

type Claimed = Extract<Claim, { readonly outcome: 'claimed' }>
type Busy = Extract<Claim, { readonly outcome: 'busy' }>

export function createQueueRunner(deps: PanelsDeps): QueueRunner {
  const { db, bus, clock, log } = deps
  const lines = new Map<string, Line>()
  const notify = (key: string) => bus.wakeups.notify(key).catch(() => undefined)
  const wake = (id: string) => notify(wakeKey(id))

  /** Answers whether there is still a frame for the next one. */
  const runOne = async (line: Line, { id, code, timeoutMs }: Claimed): Promise<boolean> => {
    const lost = (): CommandOutcome => ({ outcome: 'lost' })
    // A name of its own for each attempt: a page answers what it has been asked before as it did then.
    const attempt = { id: newId(deps.createSecret), code, timeoutMs }
    const outcome = await line.execute(attempt).catch(lost)
    const result = resultOf(outcome, timeoutMs)
    if (typeof result === 'object') {
      await finish(db, id, bus.node, result, clock.now())
      await wake(id)
      // Also where the answer got lost: a browser that is gone says so when it is given the next one.
      return true
    }
    const waiting = await putBack(db, line.at, line.tabId, id, bus.node)
    // Whoever waits in this line waits for nothing. Where the page is gone, the next one that acts may have a frame.
    if (result === 'not_ready') await Promise.all([id, ...waiting].map(wake))
    return false
  }

  /**
   * Something runs elsewhere, perhaps on a node that has died, or for a browser that is gone: without anybody who waits
   * for its end the line would stand still.
   */
  const awaitTurn = async ({ at, tabId }: Line, { deadlineAt }: Busy): Promise<void> => {
    const left = deadlineAt.getTime() - clock.now().getTime()
    await using waiter = await bus.wakeups.listen(lineKey(at, tabId))
    await waiter.next(Math.max(1, Math.min(left, LOOK_AGAIN_MS)))
  }

  const runAll = async (line: Line): Promise<void> => {
    for (;;) {
      const claim = await claimNext(db, line.at, line.tabId, bus.node, clock.now())
      if (claim.outcome === 'none') return
      if (claim.outcome === 'settled') await wake(claim.id)
      else if (claim.outcome === 'busy') await awaitTurn(line, claim)
      else if (!(await runOne(line, claim))) {
        await notify(lineKey(line.at, line.tabId))
        return
      }
    }
  }

  const keepRunning = async (key: string, line: Line): Promise<void> => {
    try {
      do {
        line.isCalledAgain = false
        await runAll(line)
        // Called while the last look was under way: what came in between was not seen.
      } while (line.isCalledAgain)
    } catch (error) {
      log.warn({ err: error }, 'failed to run queued code, retrying later')
    } finally {
      lines.delete(key)
    }
  }

  return {
    run(at, tabId, execute) {
      const key = `${at.owner}/${at.repo} ${tabId}`
      const known = lines.get(key)
      if (known !== undefined) {
        known.execute = execute
        known.isCalledAgain = true
        return known.settled
      }
      const line: Line = { at, tabId, execute, isCalledAgain: false, settled: Promise.resolve() }
      lines.set(key, line)
      line.settled = keepRunning(key, line)
      return line.settled
    },
  }
}

/** What came of a command to evaluate. `not_ready`: the page has no frame for it. `not_sent`: there is no page anymore. */
function resultOf(outcome: CommandOutcome, timeoutMs: number): SandboxResult | 'not_ready' | 'not_sent' {
  if (outcome.outcome === 'done') {
    const { evaluation } = outcome.result
    return evaluation === undefined ? failure(WORDS.unanswered) : limited(evaluation)
  }
  if (outcome.outcome === 'failed') {
    const isNotReady = outcome.code === 'not_ready' || outcome.code === 'no_such_tab'
    return isNotReady ? 'not_ready' : limited(failure(outcome.message))
  }
  if (outcome.outcome === 'no_browser') return 'not_sent'
  if (outcome.outcome === 'lost') return failure(WORDS.went)
  return failure(`The code was not done after ${timeoutMs} ms, and the browser did not end it.`, timeoutMs)
}
