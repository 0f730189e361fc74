import { type CatalogPanel, PANEL_CATEGORIES } from '@patchbay/contracts/panels'
import { BUILT_IN } from './built-in.ts'

/** Nobody can have this name: it speaks for the installation. */
const OUR_OWNER = 'patchbay'

export const BUILT_IN_PANELS: readonly CatalogPanel[] = PANEL_CATEGORIES.flatMap((category) =>
  BUILT_IN[category].map(({ uuid, singleton = false, availability, ...panel }) => ({
    id: `${OUR_OWNER}/${uuid}`,
    ...panel,
    category,
    singleton,
    availability: availability ?? 'planned',
  })),
)

const BY_ID = new Map(BUILT_IN_PANELS.map((panel) => [panel.id, panel]))
const BY_KIND = new Map(BUILT_IN_PANELS.map((panel) => [panel.kind, panel]))

export function findBuiltIn(id: string): CatalogPanel | undefined {
  return BY_ID.get(id)
}

export function findBuiltInOfKind(kind: string): CatalogPanel | undefined {
  return BY_KIND.get(kind)
}
