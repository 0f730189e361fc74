import { type Layout, leaves } from '@patchbay/workspace-layout'

const STACK_ID = 'stack'

/** The same leaves below each other, for a screen that has no room beside. Only shown, never stored. */
export function stacked(layout: Layout): Layout {
  const all = leaves(layout)
  if (all.length < 2) return layout
  return {
    root: {
      type: 'split',
      id: STACK_ID,
      direction: 'column',
      sizes: all.map(() => 1 / all.length),
      children: all,
    },
  }
}
