import { UnexpectedResponse } from '@patchbay/contracts/core'
import type { EvalOutcome, SandboxAction, WorkspaceRef } from '@patchbay/contracts/panels'
import { sleep } from '../http/pause.ts'
import { type Connection, mayPass } from './connection.ts'
import { type PanelTarget, type Reason, reasonOf, targetOf } from './panel-target.ts'
import { EVALUATION, SANDBOX } from './routes.ts'

export interface EvalOptions extends Reason {
  /** How long the code may run: 5 s unless given, 30 s at the most. */
  readonly timeoutMs?: number | undefined
}

export interface EvalAndWaitOptions extends EvalOptions {
  /** How long to wait for an outcome that is queued; a minute unless given. */
  readonly waitMs?: number | undefined
}

/** A sandbox. Code runs once or not at all, in the order in which it came. */
export interface Sandbox {
  /** Answers at once with `queued` when no frame is ready. */
  eval(code: string, options?: EvalOptions): Promise<EvalOutcome>
  /** Waits for what is queued; still `queued` when the time is over. */
  evalAndWait(code: string, options?: EvalAndWaitOptions): Promise<EvalOutcome>
  reset(why?: Reason): Promise<void>
  setHeaderHidden(hidden: boolean, why?: Reason): Promise<void>
}

const USUAL_TIMEOUT_MS = 5_000
const USUAL_WAIT_MS = 60_000
/** The server waits half a minute at the most; a little less leaves it time to say so. */
const LONGEST_POLL_MS = 25_000
const PAUSE_MS = 200

export function openSandbox(connection: Connection, params: WorkspaceRef, target: PanelTarget): Sandbox {
  const set = async (body: SandboxAction) => {
    await connection.ask(SANDBOX, { params, body }, { isRepeatable: body.action === 'setHeaderHidden' })
  }
  const evaluate = async (code: string, { timeoutMs, reason }: EvalOptions = {}): Promise<EvalOutcome> => {
    const limit = timeoutMs === undefined ? {} : { timeoutMs }
    const body: SandboxAction = {
      ...targetOf(target),
      action: 'eval',
      code,
      ...limit,
      ...reasonOf({ reason }),
    }
    const answer = await connection.ask(SANDBOX, { params, body }, { waitMs: timeoutMs ?? USUAL_TIMEOUT_MS })
    if (answer.status === 200) return answer.body
    throw new UnexpectedResponse(answer.status, 'the outcome of the code is missing')
  }
  return {
    eval: evaluate,
    async evalAndWait(code, { waitMs = USUAL_WAIT_MS, ...options } = {}) {
      const outcome = await evaluate(code, options)
      return outcome.status === 'queued' ? await awaitOutcome(connection, params, outcome, waitMs) : outcome
    },
    reset: (why) => set({ ...targetOf(target), action: 'reset', ...reasonOf(why) }),
    setHeaderHidden: (hidden, why) =>
      set({ ...targetOf(target), action: 'setHeaderHidden', hidden, ...reasonOf(why) }),
  }
}

/** What became of code that was queued, as soon as it is known; still `queued` when the time is over. */
export async function awaitOutcome(
  connection: Connection,
  params: WorkspaceRef,
  queued: Pick<EvalOutcome, 'id'>,
  waitMs: number,
): Promise<EvalOutcome> {
  const { now } = connection.surroundings
  const endsAt = now() + waitMs
  for (;;) {
    const outcome = await poll(connection, params, queued.id, Math.max(0, Math.round(endsAt - now()))).catch(
      (error: unknown) => {
        // A server that restarts has not forgotten what is queued.
        if (!mayPass(error) || now() >= endsAt) throw error
      },
    )
    if (outcome !== undefined && (outcome.status !== 'queued' || now() >= endsAt)) return outcome
    // Something in between may answer at once for a server that waits: it must not be asked without a pause.
    await sleep(Math.max(0, Math.min(PAUSE_MS, endsAt - now())), connection.signal)
    connection.signal?.throwIfAborted()
  }
}

async function poll(
  connection: Connection,
  params: WorkspaceRef,
  id: string,
  leftMs: number,
): Promise<EvalOutcome> {
  const waitMs = Math.min(LONGEST_POLL_MS, leftMs)
  const asked = { params: { ...params, id }, query: { waitMs } }
  return (await connection.ask(EVALUATION, asked, { waitMs, isRepeatable: true })).body
}
