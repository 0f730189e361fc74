import type { Companion } from '@patchbay/contracts/core'

export type ServiceId = 'registry' | 'gateway' | 'identity' | 'panels' | 'viewer'

export interface ServiceFact {
  readonly name: string
  readonly value: string
  /** Addresses, names and numbers as they are on the wire. */
  readonly isLiteral?: boolean
}

export interface Service {
  readonly id: ServiceId
  readonly name: string
  readonly promise: string
  readonly users: string
  readonly facts: readonly ServiceFact[]
  /** Where it is worked with: a page of this app, or programs of their own. */
  readonly place:
    | { readonly href: string; readonly label: string }
    | { readonly programs: readonly Companion[] }
}

export const SERVICES: readonly Service[] = [
  {
    id: 'registry',
    name: 'Registry',
    promise: 'Packages that prove what they are before a single file is unpacked.',
    users: 'Plugin authors and package managers',
    facts: [
      { name: 'Format', value: 'PCM schema v1, as design tools read it today' },
      { name: 'Holds', value: 'Plugins, libraries, color themes' },
      { name: 'Checked', value: 'SHA-256 and size of every archive' },
    ],
    place: { href: '/packages', label: 'Packages' },
  },
  {
    id: 'panels',
    name: 'Panels',
    promise: 'Scripts and agents drive the panels of a live workspace while you watch.',
    users: 'Automation, and the person at the screen',
    facts: [
      { name: 'Speaks', value: 'PATCH /api/panels/{type}/{owner}/{repo}', isLiteral: true },
      { name: 'Drives', value: 'Web views and a script-only sandbox' },
      { name: 'Sees', value: 'One panel, the workspace, or the screen' },
    ],
    place: { href: '/workspaces', label: 'Workspaces' },
  },
  {
    id: 'identity',
    name: 'Identity',
    promise: 'You sign in with your browser; the app gets a session and never your password.',
    users: 'CLIs, desktop apps, agents',
    facts: [
      { name: 'Speaks', value: 'POST /auth/intents', isLiteral: true },
      { name: 'Link', value: 'Works once, within 15 minutes' },
      { name: 'Waits by', value: 'Event stream or polling' },
    ],
    place: { href: '/account', label: 'Account' },
  },
  {
    id: 'gateway',
    name: 'Gateway',
    promise: 'One fixed OAuth redirect address for any number of hosts that come and go.',
    users: 'Apps on short-lived hosts',
    facts: [
      { name: 'Speaks', value: 'GET /callback', isLiteral: true },
      { name: 'Waits', value: '10 minutes for each sign-in' },
      { name: 'Never sees', value: 'Client secrets or tokens' },
    ],
    place: { programs: ['gateway', 'watchdog'] },
  },
  {
    id: 'viewer',
    name: 'Viewer',
    promise: 'Paste a screenshot and get a small, well-named file beside your project.',
    users: 'People who pair with an agent',
    facts: [
      { name: 'Tool', value: 'av_screenshot_paste', isLiteral: true },
      { name: 'Long edge', value: '1568 px at most' },
      { name: 'Keeps', value: 'The original as well' },
    ],
    place: { programs: ['viewer'] },
  },
]
