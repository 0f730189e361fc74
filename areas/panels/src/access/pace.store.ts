import { createHash } from 'node:crypto'
import { Problem, type WorkspaceRef } from '@patchbay/contracts'
import type { RateLimitVerdict } from '@patchbay/kernel/bus'
import type { Asking, Caller, PanelsDeps } from '../deps.ts'

type PaceDeps = Pick<PanelsDeps, 'bus' | 'settings'>

/** A call that is counted already, for this credential. */
export interface Counted {
  readonly credentialId: string
  readonly verdict: Promise<RateLimitVerdict>
}

const MINUTE_MS = 60_000
/** Who was let in, of all workspaces of a node; some hundred bytes each. */
const MOST = 10_000

/** A script that runs wild must not keep a person from their own workspace, nor other scripts. */
export async function requirePace(
  deps: PaceDeps,
  { credential }: Caller,
  ref: WorkspaceRef,
  counted?: Counted,
): Promise<void> {
  if (credential.kind === 'browser') return
  const isCounted = counted?.credentialId === credential.id
  const { allowed, retryAfterMs } = await (isCounted ? counted.verdict : count(deps, credential.id, ref))
  if (allowed) return
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  throw new Problem('rate_limited', {
    extensions: { retry_after_seconds: seconds },
    headers: { 'retry-after': String(seconds) },
  })
}

async function count(
  { bus, settings }: PaceDeps,
  credentialId: string,
  { owner, repo }: WorkspaceRef,
): Promise<RateLimitVerdict> {
  const rule = { max: settings.actionsPerMinute, windowMs: MINUTE_MS }
  return await bus.rateLimit.hit(`panels:${credentialId}:${owner}/${repo}`, rule)
}

/**
 * Who was let in with what, so that the next call with it is counted while the database is asked who that is. It says
 * nothing of whether they may: a call that turns out to be of somebody else is counted for them.
 */
export class Regulars {
  readonly #credentials = new Map<string, string>()

  /** `undefined` for whoever has not been here: a stranger must not fill Redis with counters. */
  count(deps: PaceDeps, request: Asking, ref: WorkspaceRef): Counted | undefined {
    const mark = markOf(request, ref)
    const credentialId = mark && this.#credentials.get(mark)
    if (credentialId === undefined) return undefined
    const verdict = count(deps, credentialId, ref)
    // Nobody hears it if they are refused before.
    verdict.catch(() => undefined)
    return { credentialId, verdict }
  }

  keep(request: Asking, ref: WorkspaceRef, { credential }: Caller): void {
    const mark = credential.kind === 'browser' ? undefined : markOf(request, ref)
    if (mark === undefined) return
    this.#credentials.set(mark, credential.id)
    if (this.#credentials.size > MOST)
      for (const oldest of this.#credentials.keys()) return void this.#credentials.delete(oldest)
  }
}

/** Never the secret itself: it would stay in memory for as long as it is remembered. */
function markOf({ headers }: Asking, { owner, repo }: WorkspaceRef): string | undefined {
  const shown = headers['x-api-key'] ?? headers.authorization
  if (shown === undefined) return undefined
  return createHash('sha256')
    .update(`${owner}/${repo} ${String(shown)}`)
    .digest('base64url')
}
