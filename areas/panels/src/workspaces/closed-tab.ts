import type { Tab } from '@patchbay/contracts/panels'
import type { FormerPlace } from '@patchbay/workspace-layout'
import type { PanelState } from '../tables.ts'

export interface ClosedTab {
  readonly tab: Tab
  readonly place: FormerPlace
  readonly closedAt: Date
  /** What it showed; `undefined` leaves it to the row of its state, and is nothing where there is none. */
  readonly state?: PanelState | undefined
}
