import type { Layout, LayoutChange } from '@patchbay/contracts/panels'
import {
  applyChange,
  findTab,
  type LayoutRules,
  placeOfTab,
  type Refusal,
  tabs,
} from '@patchbay/workspace-layout'
import type { NewAction } from '../access/action.ts'
import type { PanelState } from '../tables.ts'
import type { ClosedTab } from './closed-tab.ts'
import { withoutNulls } from './panel-state.ts'

/** What shall happen to a layout: changes, or what makes them of the layout as it is at that moment. */
export type Changes = readonly LayoutChange[] | ((layout: Layout) => readonly LayoutChange[])

export interface LayoutJob {
  readonly changes: Changes
  readonly rules: LayoutRules
  /** Refused unless the layout still has this version. */
  readonly expectedVersion?: number
  /** What a tab that is added shall show. */
  readonly initialState?: PanelState
  readonly action?: NewAction
  readonly now: Date
}

export type LayoutChangeOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly version: number; readonly layout: Layout }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'outdated'; readonly version: number }
  | { readonly outcome: 'no_workspace' }

export interface LayoutRow {
  readonly version: number
  readonly stateRevision: number
  readonly layout: Layout
}

/** What several jobs made of a layout, each on the result of the one before. */
export interface LayoutBatch extends LayoutRow {
  readonly outcomes: readonly LayoutChangeOutcome[]
  /** `undefined` if nothing did. */
  readonly changedAt: Date | undefined
  /** Tabs that went, also those that came back: a tab that comes back is a new one. */
  readonly gone: ReadonlySet<string>
  /** Those of them that are not there anymore. */
  readonly closed: readonly ClosedTab[]
  /** Tabs that came. */
  readonly opened: readonly string[]
  readonly states: ReadonlyMap<string, { readonly state: PanelState; readonly revision: number }>
  readonly actions: readonly { readonly revision: number; readonly action: NewAction }[]
}

export function doJobs(row: LayoutRow, jobs: readonly LayoutJob[]): LayoutBatch {
  let { version, stateRevision: revision, layout } = row
  let changedAt: Date | undefined
  const gone = new Set<string>()
  const closed = new Map<string, ClosedTab>()
  const states = new Map<string, { state: PanelState; revision: number }>()
  const actions: { revision: number; action: NewAction }[] = []
  const outcomes = jobs.map((job): LayoutChangeOutcome => {
    if (job.expectedVersion !== undefined && job.expectedVersion !== version)
      return { outcome: 'outdated', version }
    const changes = typeof job.changes === 'function' ? job.changes(layout) : job.changes
    const made = applyAll(layout, changes, job.rules)
    if ('refusal' in made) return made
    if (made.layout === layout) return { outcome: 'unchanged', version, layout }
    for (const id of tabsLost(layout, made.layout)) {
      const tab = findTab(layout, id)?.tab
      const place = placeOfTab(layout, id)
      if (tab !== undefined && place !== undefined)
        closed.set(id, { tab, place, closedAt: job.now, state: states.get(id)?.state })
      gone.add(id)
      states.delete(id)
    }
    layout = made.layout
    version += 1
    revision += 1
    changedAt = job.now
    const added = changes.find((change) => change.type === 'addTab')
    if (added !== undefined && job.initialState !== undefined)
      states.set(added.tab.id, { state: withoutNulls(job.initialState), revision })
    if (job.action !== undefined) actions.push({ revision, action: job.action })
    return { outcome: 'changed', version, layout }
  })
  const before = new Set(tabs(row.layout).map(({ id }) => id))
  const after = new Set(tabs(layout).map(({ id }) => id))
  return {
    version,
    stateRevision: revision,
    layout,
    outcomes,
    changedAt,
    gone,
    closed: [...closed.values()].filter(({ tab }) => !after.has(tab.id)),
    opened: [...after].filter((id) => !before.has(id)),
    states,
    actions,
  }
}

function applyAll(
  layout: Layout,
  changes: readonly LayoutChange[],
  rules: LayoutRules,
): { readonly layout: Layout } | { readonly outcome: 'refused'; readonly refusal: Refusal } {
  let next = layout
  for (const change of changes) {
    const { layout: made, refused } = applyChange(next, change, rules)
    if (refused !== undefined) return { outcome: 'refused', refusal: refused }
    next = made
  }
  return { layout: next }
}

/** One that shows another panel now is another tab: what it showed means nothing there. */
function tabsLost(before: Layout, after: Layout): string[] {
  const kept = new Map(tabs(after).map(({ id, panel }) => [id, panel]))
  return tabs(before)
    .filter(({ id, panel }) => kept.get(id) !== panel)
    .map(({ id }) => id)
}
