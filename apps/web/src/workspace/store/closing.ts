import type { AddedTab, WorkspaceRef } from '@patchbay/contracts/panels'
import { findTab } from '@patchbay/workspace-layout'
import { notify } from '../../components/toast.tsx'
import { adviseOn } from '../../errors/advice.ts'
import { words } from '../words.tsx'
import { fetchClosedTabs, reopenTab } from '../workspace.api.ts'
import type { WorkspaceStore } from './workspace-store.ts'

/** How long the page waits for what it was told to show. */
const PATIENCE_MS = 10_000

export interface Closing {
  /** Closes a tab, and offers to undo it. */
  close(tabId: string): void
  /** Brings a closed tab back with what it showed: the last one closed unless another is named. */
  reopen(tabId?: string): Promise<AddedTab | undefined>
}

interface ClosingDeps {
  readonly workspace: WorkspaceRef
  readonly store: WorkspaceStore
  readonly csrfToken: () => string
  readonly focusTab: (tabId: string) => void
  readonly onReopened: (tabId: string) => void
  readonly refuse: (message: string) => void
}

export function createClosing({
  workspace,
  store,
  csrfToken,
  focusTab,
  onReopened,
  refuse,
}: ClosingDeps): Closing {
  /** One at a time: each covers a part of the page, and what was closed before is in the list. */
  let dismissLast = () => {}
  const isOpen = (tabId: string) => findTab(store.getSnapshot().layout, tabId) !== undefined

  async function bringBack(tabId: string | undefined): Promise<AddedTab | undefined> {
    // Before the server has closed it there is nothing to reopen.
    await until(store, () => store.isSettled())
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const wanted = tabId ?? (await fetchClosedTabs(workspace, signal)).items[0]?.tabId
    if (wanted === undefined) {
      notify({ title: words.closing.none, tone: 'info' })
      return undefined
    }
    const added = await reopenTab(workspace, wanted, csrfToken())
    onReopened(wanted)
    await until(store, () => isOpen(wanted), signal)
    requestAnimationFrame(() => focusTab(wanted))
    return added
  }

  const reopen = (tabId?: string) =>
    bringBack(tabId).catch((error: unknown) => {
      refuse(adviseOn(error).title)
      return undefined
    })

  return {
    close(tabId) {
      const title = findTab(store.getSnapshot().layout, tabId)?.tab.title
      const refused = store.change({ type: 'removeTab', tabId })
      if (refused !== undefined) return refuse(refused)
      if (title === undefined) return
      dismissLast()
      dismissLast = notify({
        title: words.closing.closed(title),
        tone: 'info',
        action: { label: words.closing.undo, run: () => void reopen(tabId) },
      })
    },
    reopen,
  }
}

/** Settles once it is so. With a signal that ends first it settles as well: what follows is a courtesy. */
async function until(store: WorkspaceStore, isSo: () => boolean, signal?: AbortSignal): Promise<void> {
  if (isSo()) return
  await new Promise<void>((resolve) => {
    const stop = store.subscribe(() => {
      if (isSo()) finish()
    })
    function finish(): void {
      stop()
      resolve()
    }
    signal?.addEventListener('abort', finish, { once: true })
  })
}
