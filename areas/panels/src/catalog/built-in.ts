import type { CatalogPanel } from '@patchbay/contracts/panels'

/** A panel of our own, as its category lists it. Its id never changes: layouts hold it. */
export interface BuiltIn extends Pick<CatalogPanel, 'kind' | 'name' | 'description' | 'icon'> {
  readonly uuid: string
  readonly singleton?: true
  /** What does not say so is not built yet. */
  readonly availability?: 'ready'
}
