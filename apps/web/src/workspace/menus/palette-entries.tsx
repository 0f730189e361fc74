import { tabs } from '@patchbay/workspace-layout'
import { FileText, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { PanelIcon } from '../icons.tsx'
import { addingOf, shelvesOf } from '../panel-choice.ts'
import { words } from '../words.tsx'
import type { WorkspaceSession } from '../workspace-session.ts'
import { availableCommands } from './commands.ts'
import { bestOf } from './match.ts'

export interface PaletteEntry {
  readonly id: string
  readonly label: string
  /** Beside the label: where a file is. */
  readonly detail?: string
  readonly icon: ReactNode
  readonly keys?: string
  readonly run: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

interface Source {
  readonly title: string
  /** How many of them are shown, at most. */
  readonly limit: number
  readonly entries: readonly (PaletteEntry & { readonly text: string })[]
}

/** What fits what was typed. Without anything typed: what can be done, and where one can go. */
export function paletteGroups(
  session: WorkspaceSession,
  typed: string,
  paths: readonly string[],
): PaletteGroup[] {
  const isSearch = typed.trim() !== ''
  const sources = isSearch
    ? [openTabs(session), commands(session), addablePanels(session), files(session, paths)]
    : [commands(session), openTabs(session)]
  const found = sources.map(({ title, limit, entries }) => {
    const best = bestOf(typed, entries, ({ text }) => text, isSearch ? limit : entries.length)
    return { title, entries: best.items, fit: best.fit }
  })
  return found
    .filter(({ entries }) => entries.length > 0)
    .toSorted((one, other) => (isSearch ? one.fit - other.fit : 0))
}

function commands(session: WorkspaceSession): Source {
  const tabId = session.dock.get()?.currentTab()
  const context = { session, tabId }
  const title = tabs(session.store.getSnapshot().layout).find(({ id }) => id === tabId)?.title
  return {
    title: words.palette.commands,
    limit: 12,
    entries: availableCommands(context).map(({ id, label, also = '', group, keys, run }) => {
      const isOfTab = group !== 'workspace' && group !== 'theme' && id !== 'reopen'
      return {
        id: `command ${id}`,
        label,
        ...(isOfTab && title !== undefined && { detail: title }),
        icon: <SquareTerminal aria-hidden />,
        ...(keys !== undefined && { keys }),
        text: `${label} ${also}`,
        run: () => run(context),
      }
    }),
  }
}

function openTabs({ store, catalog, dock }: WorkspaceSession): Source {
  return {
    title: words.palette.tabs,
    limit: 8,
    entries: tabs(store.getSnapshot().layout).map(({ id, title, icon, panel }) => ({
      id: `tab ${id}`,
      label: title,
      icon: <PanelIcon name={icon ?? catalog.getSnapshot().panels.get(panel)?.icon} />,
      text: title,
      run: () => dock.get()?.showTab(id),
    })),
  }
}

function addablePanels({ store, catalog, dock, newId, refuse }: WorkspaceSession): Source {
  const { layout, mayChange } = store.getSnapshot()
  const addable = shelvesOf(catalog.getSnapshot().panels.values(), layout, '')
    .flatMap(({ choices }) => choices)
    .filter(({ isAddable }) => isAddable && mayChange)
  return {
    title: words.palette.panels,
    limit: 6,
    entries: addable.map(({ panel }) => ({
      id: `panel ${panel.id}`,
      label: panel.name,
      detail: panel.description,
      icon: <PanelIcon name={panel.icon} />,
      text: `${panel.name} ${panel.category}`,
      run() {
        const change = addingOf(layout, panel, undefined, newId)
        const refused = change === undefined ? undefined : store.change(change)
        if (refused !== undefined) return refuse(refused)
        if (change?.type === 'addTab') dock.get()?.showTab(change.tab.id)
      },
    })),
  }
}

function files(session: WorkspaceSession, all: readonly string[]): Source {
  const { layout, mayChange } = session.store.getSnapshot()
  const { panels } = session.catalog.getSnapshot()
  // Who may only look cannot add the panel that would show them.
  const canShow = mayChange || tabs(layout).some(({ panel }) => panels.get(panel)?.kind === 'files')
  const paths = canShow ? all : []
  return {
    title: words.palette.files,
    limit: 10,
    entries: paths.map((path) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      const folder = path.slice(0, Math.max(0, path.length - name.length - 1))
      return {
        id: `file ${path}`,
        label: name,
        ...(folder !== '' && { detail: folder }),
        icon: <FileText aria-hidden />,
        // The name first: whoever types one means the file of that name rather than a folder around it.
        text: `${name} ${path}`,
        run: () => session.openFile(path),
      }
    }),
  }
}
