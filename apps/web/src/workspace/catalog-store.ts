import type { CatalogPanel } from '@patchbay/contracts/panels'

export interface Catalog {
  readonly state: 'loading' | 'loaded' | 'failed'
  readonly panels: ReadonlyMap<string, CatalogPanel>
  readonly error?: unknown
}

export interface CatalogStore {
  getSnapshot(): Catalog
  subscribe(listener: () => void): () => void
  load(): Promise<void>
  isSingleton(panel: string): boolean
}

/** The panels that can be added. Until they are known the server alone decides what may be there once. */
export function createCatalogStore(fetchPanels: () => Promise<readonly CatalogPanel[]>): CatalogStore {
  const listeners = new Set<() => void>()
  let catalog: Catalog = { state: 'loading', panels: new Map() }
  const show = (next: Catalog) => {
    catalog = next
    for (const listener of listeners) listener()
  }
  return {
    getSnapshot: () => catalog,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async load() {
      try {
        const panels = await fetchPanels()
        show({ state: 'loaded', panels: new Map(panels.map((panel) => [panel.id, panel])) })
      } catch (error) {
        show({ state: 'failed', panels: catalog.panels, error })
      }
    },
    isSingleton: (panel) => catalog.panels.get(panel)?.singleton === true,
  }
}
