import type { CatalogPanel, PanelCategory } from '@patchbay/contracts/panels'
import { type BuiltIn, CONTROL, DEVELOPMENT, MEDIA, UTILITY, VISUALIZATION } from './built-in.ts'

/** Nobody can have this name: it speaks for the installation. */
const OUR_OWNER = 'patchbay'

/** In the order in which people are offered them. */
export const BUILT_IN_PANELS: readonly CatalogPanel[] = [
  ...of('Development', DEVELOPMENT),
  ...of('Control', CONTROL),
  ...of('Visualization', VISUALIZATION),
  ...of('Media', MEDIA),
  ...of('Utility', UTILITY),
]

const BY_ID = new Map(BUILT_IN_PANELS.map((panel) => [panel.id, panel]))
const BY_KIND = new Map(BUILT_IN_PANELS.map((panel) => [panel.kind, panel]))

export function findBuiltIn(id: string): CatalogPanel | undefined {
  return BY_ID.get(id)
}

export function findBuiltInOfKind(kind: string): CatalogPanel | undefined {
  return BY_KIND.get(kind)
}

function of(category: PanelCategory, panels: readonly BuiltIn[]): CatalogPanel[] {
  return panels.map(({ uuid, kind, name, description, icon, singleton, availability }) => ({
    id: `${OUR_OWNER}/${uuid}`,
    kind,
    name,
    description,
    category,
    icon,
    singleton: singleton ?? false,
    availability: availability ?? 'planned',
  }))
}
