import { Problem, WEB_ADDRESS, type WebviewAction, type WebviewState } from '@patchbay/contracts'

/** What an action sets. `stamp` names a key that is to differ from all that it was before. */
export interface WebviewChange {
  readonly set: WebviewState
  readonly stamp?: 'refresh'
}

export function changeFor(action: WebviewAction): WebviewChange {
  // With the stamp: an address that is stored already is loaded again, as whoever asks for it expects.
  if (action.action === 'navigate') return { set: { url: normalAddress(action.url) }, stamp: 'refresh' }
  if (action.action === 'refresh') return { set: {}, stamp: 'refresh' }
  if (action.action === 'setHeaderHidden') return { set: { isHeaderHidden: action.hidden } }
  return { set: { isProxyEnabled: action.enabled } }
}

/** What is noted of an action: with the host, or what was switched to, for the person who watches. */
export function noteFor(action: WebviewAction): string {
  const name = `webview ${action.action}`
  if (action.action === 'navigate') return `${name} ${URL.parse(action.url)?.host ?? ''}`.trim()
  if (action.action === 'setHeaderHidden') return `${name} ${action.hidden}`
  return action.action === 'setProxyEnabled' ? `${name} ${action.enabled}` : name
}

const STORABLE = new RegExp(WEB_ADDRESS)

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
