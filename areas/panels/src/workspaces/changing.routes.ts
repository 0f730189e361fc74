import type { Admitted } from '../access/admission.store.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import type { Changes, LayoutJob } from './layout-batch.ts'
import { changeLayout } from './layout-change.store.ts'
import { type Made, requireMade } from './refusals.ts'

/** What a change is called, and why it is made. */
export interface Doing {
  readonly name: string
  readonly tabId: string | null
  readonly reason?: string | undefined
}

export type Change = (
  admitted: Admitted,
  changes: Changes,
  doing: Doing,
  options: Pick<LayoutJob, 'rules' | 'expectedVersion' | 'initialState'>,
) => Promise<Made>

/** Changes a layout for whoever was admitted, tells the browsers, or throws the problem of why not. */
export function createChange({ db, clock }: PanelsDeps, control: Control): Change {
  return async ({ caller, workspace }, changes, { name, tabId, reason }, options) => {
    const action = { caller, tabId, action: name, reason }
    const made = requireMade(
      await changeLayout(db, workspace, changes, { ...options, now: clock.now(), action }),
    )
    if (made.outcome === 'changed') control.notify({ owner: workspace.owner, repo: workspace.repo })
    return made
  }
}
