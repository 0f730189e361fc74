import { add, keyOf, pinsOf } from '../schematic/geometry.ts'
import type { Schematic, SchematicItem } from '../schematic/items.ts'
import { definitionsOf } from '../schematic/library.ts'
import type { Point } from '../tree/value.ts'
import type { LineEnd } from './change.ts'

/** The ends of wires and buses that have to go along so that they stay connected to what is moved: `ends` of a move. */
export function wiresToDrag(schematic: Schematic, ids: readonly string[]): LineEnd[] {
  const moved = new Set(ids)
  const definitions = definitionsOf(schematic)
  const places = new Set<string>()
  for (const item of schematic.items)
    if (moved.has(item.id)) for (const place of endsOf(item, definitions)) places.add(keyOf(place))
  return schematic.items.flatMap((item): LineEnd[] => {
    if ((item.kind !== 'wire' && item.kind !== 'bus') || moved.has(item.id)) return []
    return (['from', 'to'] as const)
      .filter((end) => places.has(keyOf(item[end])))
      .map((end) => ({ id: item.id, end }))
  })
}

/** Where other things can be connected to it. */
function endsOf(item: SchematicItem, definitions: ReturnType<typeof definitionsOf>): Point[] {
  switch (item.kind) {
    case 'symbol': {
      const definition = definitions(item)
      return definition === undefined ? [] : pinsOf(item, definition).map(({ at }) => at)
    }
    case 'wire':
    case 'bus':
      return [item.from, item.to]
    case 'bus_entry':
      return [item.at, add(item.at, item.size)]
    case 'sheet':
      return item.pins.map(({ at }) => at)
    case 'text':
    case 'text_box':
      return []
    case 'junction':
    case 'no_connect':
    case 'label':
    case 'global_label':
    case 'hierarchical_label':
      return [item.at]
    default:
      item satisfies never
      return []
  }
}
