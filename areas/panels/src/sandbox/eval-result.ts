import type { SandboxResult } from '@patchbay/contracts/panels'
import type { CommandOutcome } from '../control.ts'
import { failure, limited, WORDS } from './eval.ts'

/** What came of a command to evaluate. `not_ready`: the page has no frame for it. `not_sent`: there is no page anymore. */
export function resultOf(
  outcome: CommandOutcome,
  timeoutMs: number,
): SandboxResult | 'not_ready' | 'not_sent' {
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
