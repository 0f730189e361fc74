import { findTab, LAYOUT_LIMITS, leaves, type Tab } from '@patchbay/workspace-layout'
import { notify } from '../../components/toast.tsx'
import type { PanelState } from '../panel-definition.ts'
import { words } from '../words.tsx'
import type { WorkspaceStore } from './workspace-store.ts'

export interface Copies {
  /** A tab like this one that shows something else, beside it if it is still there. Answers whether there is one now. */
  open(tab: Tab, state: PanelState): boolean
  /** Offers to open one, for text that would go with its tab. Answers with what takes the offer back. */
  offer(tab: Tab, state: PanelState): () => void
}

interface CopiesDeps {
  readonly store: WorkspaceStore
  readonly newId: () => string
  readonly refuse: (message: string) => void
}

export function createCopies({ store, newId, refuse }: CopiesDeps): Copies {
  function open(tab: Tab, state: PanelState): boolean {
    const { layout } = store.getSnapshot()
    const leaf = findTab(layout, tab.id)?.leaf ?? leaves(layout)[0]
    if (leaf === undefined) return false
    const copy = { ...tab, id: newId(), title: titleOfCopy(tab.title) }
    const change = { type: 'addTab', tab: copy, at: { leafId: leaf.id } } as const
    // The server may refuse what this page takes to be possible.
    const refused = store.change(change, state, () => offer(tab, state))
    if (refused !== undefined) refuse(refused)
    return refused === undefined
  }

  function offer(tab: Tab, state: PanelState): () => void {
    return notify({
      title: words.copies.unsaved(tab.title),
      tone: 'warning',
      stays: true,
      action: {
        label: words.copies.open,
        run: () => {
          if (!open(tab, state)) offer(tab, state)
        },
      },
    })
  }

  return { open, offer }
}

function titleOfCopy(title: string): string {
  const { mark } = words.copies
  return `${title.slice(0, LAYOUT_LIMITS.titleLength - mark.length).trimEnd()}${mark}`
}
