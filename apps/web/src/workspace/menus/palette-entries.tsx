import { type Layout, tabs } from '@patchbay/workspace-layout'
import { CircuitBoard, FileText, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Catalog } from '../catalog-store.ts'
import { PanelIcon } from '../icons.tsx'
import { addingOf, shelvesOf } from '../panel-choice.ts'
import { Avatar } from '../people/avatar.tsx'
import { panelOf } from '../presence/panel-of.ts'
import type { Person } from '../presence/people.ts'
import { words as presenceWords } from '../presence/words.ts'
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

/** What there is to find. */
export interface Searched {
  readonly layout: Layout
  readonly panels: Catalog['panels']
  /** Of files. */
  readonly paths: readonly string[]
  readonly people: readonly Person[]
  readonly canSimulate: boolean
}

interface Source {
  readonly title: string
  /** How many of them are shown, at most. */
  readonly limit: number
  readonly entries: readonly (PaletteEntry & { readonly text: string; readonly also?: string })[]
}

/** What fits what was typed. Without anything typed: where one can go, and what can be done. */
export function paletteGroups(session: WorkspaceSession, there: Searched, typed: string): PaletteGroup[] {
  const isSearch = typed.trim() !== ''
  const sources = isSearch
    ? [
        openTabs(session, there),
        people(session, there),
        commands(session, there),
        addablePanels(session, there),
        files(session, there),
      ]
    : [openTabs(session, there), people(session, there), commands(session, there)]
  const found = sources.map(({ title, limit, entries }) => {
    const best = bestOf(
      typed,
      entries,
      ({ text }) => text,
      isSearch ? limit : entries.length,
      ({ also }) => also,
    )
    return { title, entries: best.items, fit: best.fit }
  })
  return found
    .filter(({ entries }) => entries.length > 0)
    .toSorted((one, other) => (isSearch ? one.fit - other.fit : 0))
}

function commands(session: WorkspaceSession, { layout, canSimulate }: Searched): Source {
  const { mayChange } = session.store.getSnapshot()
  const tabId = session.dock.get()?.currentTab()
  const context = { session, tabId }
  const title = tabs(layout).find(({ id }) => id === tabId)?.title
  return {
    title: words.palette.commands,
    limit: 12,
    entries: [
      ...(canSimulate && mayChange ? [addBench(session)] : []),
      ...availableCommands(context).map(({ id, label, also, group, keys, run }) => {
        const isOfTab = group !== 'workspace' && group !== 'theme' && id !== 'reopen'
        return {
          id: `command ${id}`,
          label,
          ...(isOfTab && title !== undefined && { detail: title }),
          icon: <SquareTerminal aria-hidden />,
          ...(keys !== undefined && { keys }),
          text: label,
          ...(also !== undefined && { also }),
          run: () => run(context),
        }
      }),
    ],
  }
}

function addBench({ simulatedBench }: WorkspaceSession): Source['entries'][number] {
  return {
    id: 'command add bench',
    label: words.bench.add,
    icon: <CircuitBoard aria-hidden />,
    text: words.bench.add,
    also: words.bench.also,
    run: () => void simulatedBench.add(),
  }
}

function openTabs({ dock }: WorkspaceSession, { layout, panels }: Searched): Source {
  return {
    title: words.palette.tabs,
    limit: 8,
    entries: tabs(layout).map(({ id, title, icon, panel }) => ({
      id: `tab ${id}`,
      label: title,
      icon: <PanelIcon name={icon ?? panels.get(panel)?.icon} />,
      text: title,
      run: () => dock.get()?.showTab(id),
    })),
  }
}

/** Those who are here, to follow them. */
function people({ presence }: WorkspaceSession, there: Searched): Source {
  const followed = presence.following.get()?.key
  return {
    title: presenceWords.palette,
    limit: 8,
    entries: there.people.map((person) => {
      const { key, name, handle } = person
      const isFollowed = key === followed
      const label = isFollowed ? presenceWords.stopFollowing(name) : presenceWords.followPerson(name)
      return {
        id: `person ${key}`,
        label,
        detail: panelOf(person, there.layout),
        icon: <Avatar person={person} size="sm" />,
        text: `${label} ${handle}`,
        also: presenceWords.also,
        run: () => (isFollowed ? presence.stop() : presence.follow(key)),
      }
    }),
  }
}

function addablePanels(session: WorkspaceSession, { layout, panels }: Searched): Source {
  const { store, dock, newId } = session
  const { mayChange } = store.getSnapshot()
  const addable = shelvesOf(panels.values(), layout, '')
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
        if (refused !== undefined) return session.refuse(refused)
        if (change?.type === 'addTab') dock.get()?.showTab(change.tab.id)
      },
    })),
  }
}

function files(session: WorkspaceSession, { layout, panels, paths: all }: Searched): Source {
  const { mayChange } = session.store.getSnapshot()
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
