import { Problem } from '@patchbay/contracts/core'
import {
  FILE_ADDRESS_START,
  PANEL_SHOWN_HEADER,
  patchWebview,
  WEBVIEW_ADDRESS,
  type WebviewAction,
  type WebviewState,
} from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import { admit } from '../access/admission.store.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { findTarget, sendShown } from '../panel-action.ts'
import { patchPanelState } from '../workspaces/panel-state.store.ts'

export function registerWebview(app: HttpApp, deps: PanelsDeps, control: Control): void {
  app.route({
    ...on(patchWebview),
    async handler(request, reply) {
      const { params: at, body } = request
      const { caller, workspace } = await admit(deps, request, at, { areas: ['webview'], access: 'write' })
      if (body.action === 'setProxyEnabled' && body.enabled && deps.settings.proxyUrl === undefined)
        throw new Problem('proxy_not_available', {
          detail: 'The operator has given it no address: PATCHBAY_PROXY_URL is off, or has to be set.',
        })
      const change = changeFor(body)
      const { id: tabId } = findTarget(workspace.layout, body, 'webview')
      const action = { caller, tabId, action: noteFor(body), reason: body.reason }
      const shown = await patchPanelState(deps.db, at, { tabId, ...change }, deps.clock.now(), action)
      if (shown === undefined) throw new Problem('panel_not_found')
      return reply
        .header(PANEL_SHOWN_HEADER, await sendShown(control, at, shown))
        .code(204)
        .send()
    },
  })
}

/** What an action sets. `stamp` names a key that is to differ from all that it was before. */
interface WebviewChange {
  readonly patch: WebviewState
  readonly stamp?: 'refresh'
}

function changeFor(action: WebviewAction): WebviewChange {
  // With the stamp: an address that is stored already is loaded again, as whoever asks for it expects.
  if (action.action === 'navigate') return { patch: { url: normalAddress(action.url) }, stamp: 'refresh' }
  if (action.action === 'refresh') return { patch: {}, stamp: 'refresh' }
  if (action.action === 'setHeaderHidden') return { patch: { isHeaderHidden: action.hidden } }
  return { patch: { isProxyEnabled: action.enabled } }
}

const LONGEST_NOTED = 100

/** What is noted of an action: with the host or the file, or what was switched to, for the person who watches. */
function noteFor(action: WebviewAction): string {
  const name = `webview ${action.action}`
  if (action.action === 'navigate') {
    const { url } = action
    const isFile = url.startsWith(FILE_ADDRESS_START)
    return `${name} ${isFile ? url.slice(FILE_ADDRESS_START.length, LONGEST_NOTED) : (URL.parse(url)?.host ?? '')}`.trim()
  }
  if (action.action === 'setHeaderHidden') return `${name} ${action.hidden}`
  return action.action === 'setProxyEnabled' ? `${name} ${action.enabled}` : name
}

const STORABLE = new RegExp(WEBVIEW_ADDRESS)

/** As a browser would write it. With a name and password in it, everybody who sees the workspace would see them. */
function normalAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null) throw new Problem('invalid_request', { detail: 'The url is not a valid address.' })
  if (url.username !== '' || url.password !== '')
    throw new Problem('invalid_request', { detail: 'The url must not hold a user name or password.' })
  if (!STORABLE.test(url.href))
    throw new Problem('invalid_request', { detail: 'The url is longer than 2,048 characters.' })
  return url.href
}
