import { patchWebview } from '@patchbay/contracts'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { admitToAct } from '../access/admission.store.ts'
import { Regulars } from '../access/pace.store.ts'
import type { Control } from '../control/ports.ts'
import type { PanelsDeps } from '../deps.ts'
import { sendShown } from '../shown-state.ts'
import { KnownTargets } from './known-targets.ts'
import { show } from './show.store.ts'

export function registerWebview(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const targets = new KnownTargets()
  const regulars = new Regulars()
  app.route({
    ...on(patchWebview),
    async handler(request, reply) {
      const { params: at, body } = request
      const caller = await admitToAct(deps, regulars, request, at, { areas: ['webview'], access: 'write' })
      // Found while the database writes, so that the command goes out at once.
      control.expectCommand(at)
      await sendShown(control, at, await show(deps, targets, caller, at, body))
      return reply.code(204).send()
    },
  })
}
