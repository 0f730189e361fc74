import { Problem } from '@patchbay/contracts/core'
import type { CatalogPanel, Layout, LayoutChange, Tab } from '@patchbay/contracts/panels'
import { type LayoutRules, tabs } from '@patchbay/workspace-layout'
import { findBuiltIn } from './built-in-panels.ts'

/** What others add is a page of the web. */
export const THIRD_PARTY_KIND = 'web'

export interface CatalogRules extends LayoutRules {
  /** Panels that the changes name, and that neither the catalog nor the layout has. */
  readonly unknown: readonly string[]
  /** Panels that the changes bring in anew, and that do not exist yet. */
  readonly planned: readonly string[]
}

/** What a tab may be made of. One that is there already stays, whatever its panel is. */
export function requireReady(panel: CatalogPanel | undefined): CatalogPanel {
  if (panel === undefined) throw new Problem('panel_type_not_found')
  if (panel.availability === 'planned')
    throw new Problem('panel_type_planned', { detail: `${panel.name} is coming; it cannot be added yet.` })
  return panel
}

/** The tabs that changes bring in; those of a replacement may be there already. */
function tabsOf(changes: readonly LayoutChange[]): Tab[] {
  return changes.flatMap((change) => {
    if (change.type === 'addTab') return [change.tab]
    return change.type === 'replace' ? tabs(change.layout) : []
  })
}

export function panelsOf(changes: readonly LayoutChange[]): string[] {
  return [...new Set(tabsOf(changes).map(({ panel }) => panel))]
}

/** A tab whose panel was taken out of the catalog may stay, and nobody can add another. */
export function rulesFrom(
  layout: Layout,
  changes: readonly LayoutChange[],
  found: ReadonlyMap<string, CatalogPanel>,
): CatalogRules {
  const present = new Map(tabs(layout).map(({ id, panel }) => [id, panel]))
  const added = tabsOf(changes).filter(({ id, panel }) => present.get(id) !== panel)
  const unknown = added.filter(({ panel }) => !found.has(panel))
  const planned = added.filter(({ panel }) => found.get(panel)?.availability === 'planned')
  return {
    isSingleton: (panel) => (found.get(panel) ?? findBuiltIn(panel))?.singleton ?? false,
    unknown: [...new Set(unknown.map(({ panel }) => panel))],
    planned: [...new Set(planned.map(({ panel }) => panel))],
  }
}
