import { type CatalogPanel, PANEL_CATEGORIES } from '@patchbay/contracts/panels'
import { LAYOUT_LIMITS, type Layout, type LayoutChange, leaves, tabs } from '@patchbay/workspace-layout'
import { words } from './words.tsx'

export interface Choice {
  readonly panel: CatalogPanel
  readonly isAddable: boolean
  /** Why a panel that works cannot be added. */
  readonly obstacle?: string
}

export interface Shelf {
  readonly title: string
  readonly choices: readonly Choice[]
}

/** The panels that fit all words and work, by category, and after them what is coming. Empty shelves are left out. */
export function shelvesOf(panels: Iterable<CatalogPanel>, layout: Layout, search: string): Shelf[] {
  const present = new Set(tabs(layout).map(({ panel }) => panel))
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = [...panels].filter(({ name, description, category, kind }) => {
    const text = `${name} ${description} ${category} ${kind}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const ready = fitting.filter(({ availability }) => availability === 'ready')
  const coming = fitting.filter(({ availability }) => availability === 'planned')
  const shelves: Shelf[] = PANEL_CATEGORIES.map((category) => ({
    title: category,
    choices: ready
      .filter((panel) => panel.category === category)
      .map((panel) =>
        panel.singleton && present.has(panel.id)
          ? { panel, isAddable: false, obstacle: words.picker.isOpen }
          : { panel, isAddable: true },
      ),
  }))
  // They do not exist yet: people see what is coming, and cannot add it.
  shelves.push({
    title: words.picker.coming,
    choices: coming.map((panel) => ({ panel, isAddable: false })),
  })
  return shelves.filter(({ choices }) => choices.length > 0)
}

/** Adds a panel to a leaf, or to the first one where that is gone. */
export function addingOf(
  layout: Layout,
  panel: CatalogPanel,
  leafId: string | undefined,
  newId: () => string,
): LayoutChange | undefined {
  const all = leaves(layout)
  const leaf = all.find(({ id }) => id === leafId) ?? all[0]
  if (leaf === undefined) return undefined
  const title = panel.name.slice(0, LAYOUT_LIMITS.titleLength)
  return {
    type: 'addTab',
    tab: { id: newId(), panel: panel.id, title, icon: panel.icon },
    at: { leafId: leaf.id },
  }
}
