import { Problem } from '@patchbay/contracts/core'
import type { Layout, PanelShown, PanelStateOf, Tab, WorkspaceRef } from '@patchbay/contracts/panels'
import { findLeaf } from '@patchbay/workspace-layout'
import { findBuiltIn } from './catalog/built-in-panels.ts'
import type { Control } from './control.ts'

/** How a caller names a panel: by its leaf, and if they want to be sure by the tab that they expect to be active there. */
export interface TargetNames {
  readonly panelId: string
  readonly tabId?: string | undefined
}

/** The active tab of the named leaf, if it shows a panel of this kind. */
export function findTarget(layout: Layout, { panelId, tabId }: TargetNames, kind: string): Tab {
  const active = activeTabOf(layout, panelId)
  if (tabId !== undefined && tabId !== active.id)
    throw new Problem('panel_mismatch', {
      detail: `The active tab of the leaf is ${active.id}: ${wordsFor(active)}.`,
    })
  requireKind(active, kind)
  return active
}

export function activeTabOf(layout: Layout, panelId: string): Tab {
  const leaf = findLeaf(layout, panelId)
  if (leaf === undefined)
    throw new Problem('panel_not_found', { detail: 'The layout has no leaf with this panelId.' })
  const active = leaf.tabs.find(({ id }) => id === leaf.activeTabId)
  if (active === undefined) throw new Problem('panel_not_found', { detail: 'The leaf has no tabs.' })
  return active
}

export function requireKind(tab: Tab, kind: string): void {
  if (kindOf(tab) === kind) return
  throw new Problem('panel_mismatch', {
    detail: `It must be a panel of the kind "${kind}"; what is there is ${wordsFor(tab)}.`,
  })
}

/** What others have added shows a page of the web, and is no web view: nobody from outside moves it elsewhere. */
function kindOf({ panel }: Tab): string {
  return findBuiltIn(panel)?.kind ?? 'web'
}

function wordsFor(tab: Tab): string {
  return `"${tab.title}", a panel of the kind "${kindOf(tab)}"`
}

/** How long a caller waits to know that a browser shows it. */
const ACKNOWLEDGED_WITHIN_MS = 2_000

/**
 * Tells the browsers, and waits a moment for the one that acts. What is stored is so whatever comes of it: reporting a
 * failure would make the caller repeat what has happened. It is told whether a browser shows it.
 */
export async function sendShown(
  control: Control,
  at: WorkspaceRef,
  shown: PanelStateOf,
): Promise<PanelShown> {
  const sent = control.send(
    at,
    { kind: 'show', ...shown },
    { deadlineMs: ACKNOWLEDGED_WITHIN_MS, canRepeat: true },
  )
  control.notify(at)
  const outcome = await sent.then(
    (answer) => answer.outcome,
    () => 'lost',
  )
  if (outcome === 'done') return 'yes'
  return outcome === 'no_browser' ? 'nobody' : 'later'
}
