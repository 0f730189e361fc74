import { Problem } from '@patchbay/contracts/core'
import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import {
  getSandboxEval,
  PANEL_SHOWN_HEADER,
  patchSandbox,
  type SandboxAction,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { FastifyReply } from 'fastify'
import { requireNotEnded } from '../access/action.store.ts'
import type { NewAction } from '../access/action.ts'
import { admit } from '../access/admission.store.ts'
import type { Control } from '../control.ts'
import type { Caller, PanelsDeps } from '../deps.ts'
import { findTarget, sendShown } from '../panel-action.ts'
import { patchPanelState } from '../workspaces/panel-state.store.ts'
import { findEvaluation, resetSandbox } from './eval.store.ts'
import { present, wakeKey } from './eval.ts'
import { awaitOutcome } from './eval-wait.store.ts'
import { evaluate } from './evaluate.store.ts'

/** Above the longest time of code and of a wait for it. */
const DEADLINE_MS = SANDBOX_LIMITS.maxTimeoutMs + 15_000

export function registerSandbox(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const change = async (at: WorkspaceRef, caller: Caller, tabId: string, body: SandboxAction) => {
    const now = deps.clock.now()
    const detail = body.action === 'setHeaderHidden' ? ` ${body.hidden}` : ''
    const action: NewAction = {
      caller,
      tabId,
      action: `sandbox ${body.action}${detail}`,
      reason: body.reason,
    }
    if (body.action === 'eval') return await evaluate(deps, control, at, { tabId, ...body }, action)
    if (body.action === 'setHeaderHidden') {
      const patch = { isHeaderHidden: body.hidden }
      const shown = await patchPanelState(deps.db, at, { tabId, patch }, now, action)
      if (shown === undefined) throw new Problem('panel_not_found')
      return await sendShown(control, at, shown)
    }
    const reset = await resetSandbox(deps.db, at, tabId, now, action)
    if (reset === undefined) throw new Problem('panel_not_found')
    const { wakeups } = deps.bus
    const [isShown] = await Promise.all([
      sendShown(control, at, reset.shown),
      ...reset.failed.map((id) => wakeups.notify(wakeKey(id)).catch(() => undefined)),
    ])
    return isShown
  }

  app.route({
    ...on(patchSandbox, { deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      const { params: at, body } = request
      const { caller, workspace } = await admit(deps, request, at, { areas: ['sandbox'], access: 'write' })
      const { id: tabId } = findTarget(workspace.layout, body, 'sandbox')
      const outcome = await change(at, caller, tabId, body)
      if (typeof outcome !== 'string') return reply.send(outcome)
      // Typed are answers with a body, and this one has none.
      return (reply as FastifyReply).header(PANEL_SHOWN_HEADER, outcome).code(204).send()
    },
  })

  app.route({
    ...on(getSandboxEval, { deadlineMs: DEADLINE_MS }),
    async handler(request, reply) {
      const { id, ...at } = request.params
      const { waitMs = 0 } = request.query
      const { caller } = await admit(deps, request, at, { areas: ['sandbox'], access: 'read' })
      const found = waitMs === 0 ? await findEvaluation(deps.db, at, id, deps.clock.now()) : await wait()
      if (found === undefined) throw new Problem('not_found')
      return reply.send(present(found))

      async function wait() {
        await using waiter = await deps.bus.wakeups.listen(wakeKey(id))
        const patience = { queuedMs: waitMs, runningMs: waitMs, endsWhenPutBack: false }
        const outcome = await awaitOutcome(deps, at, id, waiter, patience)
        await requireNotEnded(deps.db, at, caller)
        return outcome
      }
    },
  })
}
