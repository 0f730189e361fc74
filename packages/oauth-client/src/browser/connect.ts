import { ConnectError } from './connect-error.ts'
import type { ConnectStatus } from './connect-status.ts'
import { type WaitOptions, waitUntilConfigured } from './wait-until-configured.ts'

export interface ConnectPageOptions extends Omit<WaitOptions, 'url'> {
  /** The auth route. */
  readonly authUrl: string
  /** The status route. */
  readonly statusUrl: string
}

/** The parts of a window that are used here, so that programs without a DOM can import the types. */
interface OpeningWindow {
  open(url: string, target: string): OpenedWindow | null
}

interface OpenedWindow {
  opener: unknown
  readonly location: { href: string }
}

/**
 * Opens the auth route in a tab of its own and waits. Call it in the click handler, before anything is awaited:
 * browsers open a tab only while they handle the click.
 */
export function connect({ authUrl, statusUrl, ...options }: ConnectPageOptions): Promise<ConnectStatus> {
  const tab = (globalThis as unknown as OpeningWindow).open('about:blank', '_blank')
  if (tab === null) {
    const blocked = 'The browser did not open a new tab. Allow it for this page, or follow the link yourself.'
    return Promise.reject(new ConnectError('popup_blocked', blocked))
  }
  // The provider's pages must not reach back into this one.
  tab.opener = null
  tab.location.href = authUrl
  return waitUntilConfigured({ ...options, url: statusUrl })
}
