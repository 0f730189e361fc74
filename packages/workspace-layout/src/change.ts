import type { EdgePlace, Place } from '@patchbay/contracts/panels'

export type { Edge, EdgePlace, LayoutChange, LeafPlace, Place } from '@patchbay/contracts/panels'

export function isEdgePlace(place: Place): place is EdgePlace {
  return 'edge' in place
}
