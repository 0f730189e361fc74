import { Problem } from '@patchbay/contracts/core'
import { FILE_ADDRESS_START, postProxyTicket } from '@patchbay/contracts/panels'
import { type HttpApp, networkOf, on } from '@patchbay/kernel/http'
import { findTab } from '@patchbay/workspace-layout'
import { admitPerson, FILES_TO_READ } from '../access/admission.store.ts'
import { findBuiltIn } from '../catalog/built-in-panels.ts'
import type { PanelsDeps } from '../deps.ts'
import { keepTicket } from './ticket.store.ts'
import { TICKET_LIFETIME_MS, ticketAddress } from './ticket.ts'

const PACE = { max: 120, windowMs: 60_000 }
const LOOKUP_MS = 5_000

export function registerProxyTickets(app: HttpApp, deps: PanelsDeps): void {
  app.route({
    ...on(postProxyTicket, { rateLimit: PACE }),
    async handler(request) {
      const { owner, repo, tabId } = request.params
      const url = request.body?.url
      const shows = url?.startsWith(FILE_ADDRESS_START) === true ? 'files' : 'web'
      const admission = shows === 'files' ? FILES_TO_READ : undefined
      const { caller, workspace } = await admitPerson(deps, request, { owner, repo }, true, admission)
      const { proxyUrl } = deps.settings
      if (proxyUrl === undefined) throw new Problem('proxy_not_available')
      const panel = findTab(workspace.layout, tabId)?.tab.panel
      if (panel === undefined || findBuiltIn(panel)?.kind !== 'webview') throw new Problem('panel_not_found')
      const openedHost = shows === 'files' ? null : await openedHostOf(deps, url)
      const token = deps.createSecret()
      const expiresAt = new Date(deps.clock.now().getTime() + TICKET_LIFETIME_MS)
      await keepTicket(deps.db, {
        owner,
        repo,
        token,
        tabId,
        personId: caller.personId,
        sessionId: caller.credential.id,
        network: networkOf(request.ip),
        openedHost,
        shows,
        expiresAt,
      })
      return {
        address: ticketAddress(proxyUrl, token, shows),
        origin: new URL(proxyUrl).origin,
        expiresAt: expiresAt.toISOString(),
      }
    },
  })
}

/**
 * The host of the page, if it is inside a network that the operator opened. Decided once, when the person goes there: a
 * name that leads there only later, as a stranger's may, is not served from inside.
 */
async function openedHostOf({ outbound }: PanelsDeps, url: string | undefined): Promise<string | null> {
  const host = url === undefined ? undefined : URL.parse(url)?.host
  if (url === undefined || host === undefined) return null
  return (await outbound.leadsInside(url, { deadlineMs: LOOKUP_MS })) ? host : null
}
