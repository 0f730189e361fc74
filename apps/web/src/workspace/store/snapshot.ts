import type { CloseCodeName } from '@patchbay/contracts/core'
import type { PanelAction, PresentPage } from '@patchbay/contracts/panels'
import { emptyLayout, type Layout } from '@patchbay/workspace-layout'
import type { ShownState } from '../panel-definition.ts'

/** `opening`: nothing has been shown yet. `away`: what is shown may be old, and a new connection is being tried. */
export type Link = 'opening' | 'open' | 'away' | 'ended'

/** An action and when this page heard of it; 0 for what had happened before it was opened. */
export interface SeenAction extends PanelAction {
  readonly seenAt: number
  /** How often it was done in a row; all but these are as the last time. */
  readonly times: number
}

/** Everything that the workspace page shows, as a value that is replaced with every change. */
export interface Snapshot {
  readonly link: Link
  /** Why the connection will not be tried again. */
  readonly ending: CloseCodeName | undefined
  readonly hasOpened: boolean
  readonly version: number
  readonly layout: Layout
  readonly states: ReadonlyMap<string, ShownState>
  /** The same without what this page has done and the server has not confirmed. */
  readonly stored: ReadonlyMap<string, ShownState>
  /** The latest 50, the latest last. */
  readonly actions: readonly SeenAction[]
  readonly mayChange: boolean
  /** Whether this page carries out commands, and how many pages show the workspace. */
  readonly owner: { readonly isYou: boolean; readonly browsers: number }
  /** Who has the workspace open, this page among them. */
  readonly pages: readonly PresentPage[]
  /** What this page is known as to the others. */
  readonly pageId: string
}

export const NO_STATE: ShownState = { revision: 0, state: {} }

export const NOTHING_SHOWN: Snapshot = {
  link: 'opening',
  ending: undefined,
  hasOpened: false,
  version: -1,
  layout: emptyLayout(''),
  states: new Map(),
  stored: new Map(),
  actions: [],
  mayChange: false,
  owner: { isYou: false, browsers: 1 },
  pages: [],
  pageId: '',
}
