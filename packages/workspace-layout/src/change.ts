import type { EdgePlace, Place } from '@patchbay/contracts'

export type { Edge, EdgePlace, LayoutChange, LeafPlace, Place } from '@patchbay/contracts'

export function isEdgePlace(place: Place): place is EdgePlace {
  return 'edge' in place
}
