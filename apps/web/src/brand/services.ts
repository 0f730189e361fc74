import type { Companion } from '@patchbay/contracts/core'
import { words } from './words.ts'

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
    name: words.registry.name,
    promise: words.registry.promise,
    users: words.registry.users,
    facts: [words.registry.format, words.registry.holds, words.registry.checked],
    place: { href: '/packages', label: words.registry.place },
  },
  {
    id: 'panels',
    name: words.panels.name,
    promise: words.panels.promise,
    users: words.panels.users,
    facts: [
      { name: words.panels.speaks, value: 'PATCH /api/panels/{type}/{owner}/{repo}', isLiteral: true },
      words.panels.drives,
      words.panels.sees,
    ],
    place: { href: '/workspaces', label: words.panels.place },
  },
  {
    id: 'identity',
    name: words.identity.name,
    promise: words.identity.promise,
    users: words.identity.users,
    facts: [
      { name: words.identity.speaks, value: 'POST /auth/intents', isLiteral: true },
      words.identity.link,
      words.identity.waitsBy,
    ],
    place: { href: '/account', label: words.identity.place },
  },
  {
    id: 'gateway',
    name: words.gateway.name,
    promise: words.gateway.promise,
    users: words.gateway.users,
    facts: [
      { name: words.gateway.speaks, value: 'GET /callback', isLiteral: true },
      words.gateway.waits,
      words.gateway.neverSees,
    ],
    place: { programs: ['gateway', 'watchdog'] },
  },
  {
    id: 'viewer',
    name: words.viewer.name,
    promise: words.viewer.promise,
    users: words.viewer.users,
    facts: [
      { name: words.viewer.tool, value: 'av_screenshot_paste', isLiteral: true },
      words.viewer.longEdge,
      words.viewer.keeps,
    ],
    place: { programs: ['viewer'] },
  },
]
