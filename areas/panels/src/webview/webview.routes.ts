import { PANEL_SHOWN_HEADER, patchWebview, Problem } from '@patchbay/contracts'
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
      if (body.action === 'setProxyEnabled' && body.enabled && deps.settings.proxyUrl === undefined)
        throw new Problem('proxy_not_available', {
          detail: 'The operator has given it no address: PATCHBAY_PROXY_URL is off, or has to be set.',
        })
      // Found while the database writes, so that the command goes out at once.
      control.expectCommand(at)
      const shown = await sendShown(control, at, await show(deps, targets, caller, at, body))
      return reply.header(PANEL_SHOWN_HEADER, shown).code(204).send()
    },
  })
}
