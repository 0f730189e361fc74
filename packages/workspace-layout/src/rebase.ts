import { applyChange } from './apply.ts'
import type { LayoutChange } from './change.ts'
import type { Layout, LayoutRules } from './layout.ts'
import type { Refusal } from './refusal.ts'

export interface Rebased {
  readonly layout: Layout
  /** What still applies, in order: what the server has yet to be told. */
  readonly kept: readonly LayoutChange[]
  readonly dropped: readonly { readonly change: LayoutChange; readonly refused: Refusal }[]
}

/** Changes that the server has not seen, made on what it has now. */
export function rebase(serverLayout: Layout, pending: readonly LayoutChange[], rules: LayoutRules): Rebased {
  let layout = serverLayout
  const kept: LayoutChange[] = []
  const dropped: { change: LayoutChange; refused: Refusal }[] = []
  for (const change of pending) {
    const outcome = applyChange(layout, change, rules)
    if (outcome.refused !== undefined) dropped.push({ change, refused: outcome.refused })
    else {
      layout = outcome.layout
      kept.push(change)
    }
  }
  return { layout, kept, dropped }
}
