import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { EvalOutcome, SandboxResult, WorkspaceRef } from '@patchbay/contracts/panels'

type EvalStatus = 'queued' | 'running' | 'executed' | 'error'

export interface Evaluation {
  readonly id: string
  readonly status: EvalStatus
  readonly outcome: SandboxResult | null
  readonly expiresAt: Date
  /** While it runs: after this nobody is left who could say what came of it. */
  readonly deadlineAt: Date | null
}

/** What a frame and its watchdog may take beyond the time of the code, with the way to the browser and back. */
export const CLAIM_GRACE_MS = 5_000

export const WORDS = {
  went: 'The browser went away while the code ran; whether it finished is not known.',
  silent: 'No answer came in time; whether the code finished is not known.',
  unanswered: 'The browser did not say what came of the code.',
  neverReady: 'No frame was ready to run the code within ten minutes.',
  resetBefore: 'The sandbox was reset before the code ran.',
  resetMeanwhile: 'The sandbox was reset while the code ran.',
  dropped: 'The panel was removed, or the access ended, before the code ran.',
} as const

export function failure(error: string, durationMs = 0): SandboxResult {
  return { status: 'error', error, durationMs }
}

export function isSettled({ status }: Evaluation): boolean {
  return status === 'executed' || status === 'error'
}

/** Whether nobody will settle it any more unless whoever looks does. */
export function isOverdue({ status, expiresAt, deadlineAt }: Evaluation, now: Date): boolean {
  if (status === 'queued') return expiresAt <= now
  return status === 'running' && deadlineAt !== null && deadlineAt <= now
}

/** Names it on the bus: whoever waits for it looks again. */
export function wakeKey(id: string): string {
  return `eval:${id}`
}

/** Names the line of a panel on the bus: whoever had a frame for it has none anymore. */
export function lineKey({ owner, repo }: WorkspaceRef, tabId: string): string {
  return `evals:${owner}/${repo}/${tabId}`
}

export function present({ id, status, outcome, expiresAt }: Evaluation): EvalOutcome {
  const kept = { id, expiresAt: expiresAt.toISOString() }
  if (outcome === null || status === 'queued' || status === 'running') return { status: 'queued', ...kept }
  return { ...outcome, ...kept }
}

/** Keeps what a browser says within the limits that it should have kept itself: a page can be made to say anything. */
export function limited(result: SandboxResult): SandboxResult {
  const { status, resultType, durationMs } = result
  const lines = limitedConsole(result.console ?? [])
  const rest = {
    ...(lines.length > 0 ? { console: lines } : {}),
    ...(result.isTruncated === true || lines.length < (result.console?.length ?? 0)
      ? { isTruncated: true }
      : {}),
    durationMs,
  }
  if (status === 'error') {
    const error = (result.error ?? WORDS.unanswered).slice(0, SANDBOX_LIMITS.resultLength)
    return { status, error, ...rest }
  }
  const tag = resultType === undefined ? {} : { resultType }
  if (result.result === undefined) return { status, ...tag, ...rest }
  const text = JSON.stringify(result.result)
  if (text.length <= SANDBOX_LIMITS.resultLength) return { status, result: result.result, ...tag, ...rest }
  return { status, result: text.slice(0, SANDBOX_LIMITS.resultLength), ...tag, ...rest, isTruncated: true }
}

type Lines = NonNullable<SandboxResult['console']>

function limitedConsole(lines: Lines): Lines {
  let left: number = SANDBOX_LIMITS.resultLength
  return lines.slice(0, SANDBOX_LIMITS.consoleLines).filter((line) => {
    left -= JSON.stringify(line).length
    return left >= 0
  })
}
