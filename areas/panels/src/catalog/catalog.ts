import type { CatalogPanel, Layout, LayoutChange, Tab } from '@patchbay/contracts'
import { type LayoutRules, tabs } from '@patchbay/workspace-layout'
import { findBuiltIn } from './built-in-panels.ts'

/** What others add is a page of the web. */
export const THIRD_PARTY_KIND = 'web'

export interface CatalogRules extends LayoutRules {
  /** Panels that the changes name, and that neither the catalogue nor the layout has. */
  readonly unknown: readonly string[]
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

/** A tab whose panel was taken out of the catalogue may stay, and nobody can add another. */
export function rulesFrom(
  layout: Layout,
  changes: readonly LayoutChange[],
  found: ReadonlyMap<string, CatalogPanel>,
): CatalogRules {
  const present = new Map(tabs(layout).map(({ id, panel }) => [id, panel]))
  const unknown = tabsOf(changes).filter(({ id, panel }) => !found.has(panel) && present.get(id) !== panel)
  return {
    isSingleton: (panel) => (found.get(panel) ?? findBuiltIn(panel))?.singleton ?? false,
    unknown: [...new Set(unknown.map(({ panel }) => panel))],
  }
}
