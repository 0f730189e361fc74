import {
  applyChange,
  type Document,
  definitionsOf,
  type Line,
  type Point,
  pinsOf,
  readSchematic,
  type Schematic,
  type SchematicChange,
} from '@patchbay/kicad-format'

export type NewId = () => string

const keyOf = ({ x, y }: Point) => `${x} ${y}`

function isInside(point: Point, { from, to }: Pick<Line, 'from' | 'to'>): boolean {
  const isEnd = keyOf(point) === keyOf(from) || keyOf(point) === keyOf(to)
  if (isEnd) return false
  const isBetween =
    Math.min(from.x, to.x) <= point.x &&
    point.x <= Math.max(from.x, to.x) &&
    Math.min(from.y, to.y) <= point.y &&
    point.y <= Math.max(from.y, to.y)
  return (
    isBetween && Math.abs((to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)) < 1
  )
}

/** Where something can be connected: ends of wires, pins, and pins of sheets. */
export function endsIn(schematic: Schematic): Point[] {
  const definitions = definitionsOf(schematic)
  return schematic.items.flatMap((item): Point[] => {
    if (item.kind === 'wire' || item.kind === 'bus') return [item.from, item.to]
    if (item.kind === 'sheet') return item.pins.map(({ at }) => at)
    if (item.kind !== 'symbol') return []
    const definition = definitions(item)
    return definition === undefined ? [] : pinsOf(item, definition).map(({ at }) => at)
  })
}

/** The junctions that a sheet needs at these places and does not have, as KiCad sets them. */
function junctionsFor(schematic: Schematic, places: readonly Point[], newId: NewId): SchematicChange[] {
  const wires = schematic.items.filter((item): item is Line => item.kind === 'wire')
  const ends = new Map<string, number>()
  for (const end of endsIn(schematic)) ends.set(keyOf(end), (ends.get(keyOf(end)) ?? 0) + 1)
  const there = new Set(schematic.items.flatMap((item) => (item.kind === 'junction' ? [keyOf(item.at)] : [])))
  return [...new Map(places.map((place) => [keyOf(place), place])).values()].flatMap(
    (at): SchematicChange[] => {
      if (there.has(keyOf(at))) return []
      const count = ends.get(keyOf(at)) ?? 0
      const passing = wires.filter((wire) => isInside(at, wire)).length
      const hasWire =
        passing > 0 || wires.some(({ from, to }) => keyOf(from) === keyOf(at) || keyOf(to) === keyOf(at))
      const isNeeded = hasWire && ((passing > 0 && count > 0) || count > 2)
      return isNeeded ? [{ type: 'addMark', kind: 'junction', id: newId(), at }] : []
    },
  )
}

/** A line through these corners, and the junctions that it needs. */
export function lineChanges(
  document: Document,
  kind: Line['kind'],
  corners: readonly Point[],
  newId: NewId,
): SchematicChange[] {
  const lines = corners.slice(1).flatMap((to, index): SchematicChange[] => {
    const from = corners[index]
    return from === undefined || keyOf(from) === keyOf(to)
      ? []
      : [{ type: 'addLine', kind, id: newId(), from, to }]
  })
  return kind === 'bus' ? lines : [...lines, ...junctionsAfter(document, lines, corners, newId)]
}

/** What is needed once these changes are made. */
export function junctionsAfter(
  document: Document,
  changes: readonly SchematicChange[],
  places: readonly Point[],
  newId: NewId,
): SchematicChange[] {
  const after = changes.reduce((now, change) => applyChange(now, change).document ?? now, document)
  const schematic = readSchematic(after)
  if (schematic === undefined) return []
  const added = schematic.items.filter(
    (item): item is Line =>
      item.kind === 'wire' && changes.some((one) => one.type === 'addLine' && one.id === item.id),
  )
  const touched = endsIn(schematic).filter((end) => added.some((line) => isInside(end, line)))
  return junctionsFor(schematic, [...places, ...touched], newId)
}

/** From one place to another with one bend: along the longer way first. */
export function bend(from: Point, to: Point): Point[] {
  if (from.x === to.x || from.y === to.y) return [from, to]
  const isWide = Math.abs(to.x - from.x) >= Math.abs(to.y - from.y)
  return [from, isWide ? { x: to.x, y: from.y } : { x: from.x, y: to.y }, to]
}
