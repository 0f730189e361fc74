import type { BoardViolation } from '@patchbay/contracts/boards'
import { type DesignSheet, definitionsOf, pinsOf, type SchematicItem } from '@patchbay/kicad-format'

const NANOMETERS = 1_000_000

type Found = BoardViolation['items'][number]

/** What KiCad means: by its id, or that of a pin; a pin without an id in the file is known by its place. */
export function itemOf({ schematic }: DesignSheet, { uuid, x, y }: Found): SchematicItem | undefined {
  const { items } = schematic
  const named = items.find(
    (item) =>
      item.id === uuid ||
      ((item.kind === 'symbol' || item.kind === 'sheet') && item.pins.some(({ id }) => id === uuid)),
  )
  if (named !== undefined) return named
  const [left, top] = [Math.round(x * NANOMETERS), Math.round(y * NANOMETERS)]
  const definitions = definitionsOf(schematic)
  return items.find((item) => {
    if (item.kind !== 'symbol') return false
    const definition = definitions(item)
    return (
      definition !== undefined && pinsOf(item, definition).some(({ at }) => at.x === left && at.y === top)
    )
  })
}
