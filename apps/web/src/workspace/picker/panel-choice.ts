import { type CatalogPanel, PANEL_CATEGORIES, type PanelCategory } from '@patchbay/contracts'
import { leaves, type Layout, type LayoutChange, LAYOUT_LIMITS, tabs } from '@patchbay/workspace-layout'

export interface Choice {
  readonly panel: CatalogPanel
  /** Why it cannot be added. */
  readonly obstacle: string | undefined
}

export interface Shelf {
  readonly category: PanelCategory
  readonly choices: readonly Choice[]
}

/** The panels that fit all words, by category, those that work first. Categories without any are left out. */
export function shelvesOf(panels: Iterable<CatalogPanel>, layout: Layout, words: string): Shelf[] {
  const present = new Set(tabs(layout).map(({ panel }) => panel))
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = [...panels].filter(({ name, description, category, kind }) => {
    const text = `${name} ${description} ${category} ${kind}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return PANEL_CATEGORIES.map((category) => ({
    category,
    choices: fitting
      .filter((panel) => panel.category === category)
      .toSorted((a, b) => Number(a.availability === 'planned') - Number(b.availability === 'planned'))
      .map((panel) => ({
        panel,
        obstacle:
          panel.singleton && present.has(panel.id) ? 'Already here, and it can be here once' : undefined,
      })),
  })).filter(({ choices }) => choices.length > 0)
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
