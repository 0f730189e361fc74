import {
  combine,
  placementOf,
  quarterTurn,
  type Turn,
  turn,
  turnAbout,
  turnOf,
} from '../schematic/geometry.ts'
import type { MirrorAxis } from '../schematic/items.ts'
import { insertChild, removeChild, replaceChild } from '../tree/edit.ts'
import { createAtom, createList, isList, type List } from '../tree/node.ts'
import {
  angleOf,
  childOf,
  millimeters,
  type Point,
  pointOf,
  textIn,
  valueOf,
  valuesOf,
} from '../tree/value.ts'
import { checkPlaces } from './checks.ts'

/** Lists that are a place on the sheet, in any item. */
const PLACES = new Set(['at', 'xy', 'start', 'mid', 'end', 'center'])

/** The item with all its places moved: those of its properties, pins and corners as well. */
export function mapPlaces(item: List, move: (place: Point) => Point): List {
  const place = PLACES.has(item.head) ? pointOf(item) : undefined
  if (place !== undefined) return withPoint(item, move(place))
  let changed = item
  for (const [at, child] of item.children.entries())
    if (child.kind === 'list') changed = replaceChild(changed, at, mapPlaces(child, move))
  return changed
}

/** Numbers that stay the same keep their spelling. */
export function withPoint(list: List, to: Point): List {
  checkPlaces(to)
  const from = pointOf(list)
  let changed = list
  if (from?.x !== to.x) changed = replaceChild(changed, 1, millimeters(to.x))
  if (from?.y !== to.y) changed = replaceChild(changed, 2, millimeters(to.y))
  return changed
}

/** One child by its head changed, where it is there. */
export function mapChild(list: List, head: string, change: (child: List) => List): List {
  const at = list.children.findIndex((child) => isList(child, head))
  const child = list.children[at]
  return isList(child) ? replaceChild(list, at, change(child)) : list
}

/** All children with that head changed. */
export function mapChildren(list: List, head: string, change: (child: List) => List): List {
  let changed = list
  for (const [at, child] of list.children.entries())
    if (isList(child, head)) changed = replaceChild(changed, at, change(child))
  return changed
}

/** The third number of `at`. */
function withAngle(place: List, angle: number): List {
  if (angleOf(place) === angle && place.children.length > 3) return place
  const atom = createAtom(String(angle))
  return place.children.length > 3 ? replaceChild(place, 3, atom) : insertChild(place, 3, atom, ' ')
}

/** The item turned about a place. How a thing is turned stands in other words for each kind. */
export function turnItem(item: List, about: Point, by: Turn): List {
  const turned = mapPlaces(item, (place) => turnAbout(place, about, by))
  switch (item.head) {
    case 'symbol':
      return turnSymbol(turned, by)
    case 'label':
    case 'global_label':
    case 'hierarchical_label':
      return turnLabel(turned, by)
    case 'text':
      return mapChild(turned, 'at', (place) => withAngle(place, turnedAngle(place, by)))
    case 'bus_entry':
      return mapChild(turned, 'size', (size) => withPoint(size, turn(pointOf(size) ?? { x: 0, y: 0 }, by)))
    case 'sheet':
      return turnSheet(turned, by)
    default:
      return turned
  }
}

/** Properties are turned with their symbol by KiCad: they keep their own angles. */
function turnSymbol(symbol: List, by: Turn): List {
  const mirror = textIn(symbol, 'mirror')
  const before = turnOf({
    angle: angleOf(childOf(symbol, 'at')),
    mirror: mirror === 'x' || mirror === 'y' ? mirror : undefined,
  })
  const after = placementOf(combine(before, by))
  return withMirror(
    mapChild(symbol, 'at', (place) => withAngle(place, after.angle)),
    after.mirror,
  )
}

function withMirror(symbol: List, axis: MirrorAxis | undefined): List {
  const at = symbol.children.findIndex((child) => isList(child, 'mirror'))
  const mirror = symbol.children[at]
  if (axis === undefined) return at === -1 ? symbol : removeChild(symbol, at)
  if (isList(mirror)) {
    return valuesOf(mirror)[0] === axis
      ? symbol
      : replaceChild(symbol, at, replaceChild(mirror, 1, createAtom(axis)))
  }
  const place = symbol.children.findIndex((child) => isList(child, 'at'))
  // In a line of its own where the place has one.
  const list = createList([createAtom('mirror'), createAtom(axis)])
  return insertChild(symbol, place + 1, list, symbol.gaps[place] ?? ' ')
}

function turnedAngle(place: List, by: Turn): number {
  const { x, y } = turn(turn({ x: 1, y: 0 }, quarterTurn(angleOf(place))), by)
  return x === 1 ? 0 : y === -1 ? 90 : x === -1 ? 180 : 270
}

/** A label's text goes away from its place: to the right or up from its left end, to the left or down from its right one. */
export function justificationOf(angle: number): 'left' | 'right' {
  return angle === 180 || angle === 270 ? 'right' : 'left'
}

function turnLabel(label: List, by: Turn): List {
  const place = childOf(label, 'at')
  if (place === undefined) return label
  const angle = turnedAngle(place, by)
  const turned = mapChild(label, 'at', (one) => withAngle(one, angle))
  return mapChild(turned, 'effects', (effects) => justified(effects, justificationOf(angle)))
}

function justified(effects: List, side: 'left' | 'right'): List {
  return mapChild(effects, 'justify', (justify) => {
    const at = justify.children.findIndex(
      (child) => child.kind === 'atom' && ['left', 'right'].includes(valueOf(child)),
    )
    const old = justify.children[at]
    return old === undefined || (old.kind === 'atom' && old.text === side)
      ? justify
      : replaceChild(justify, at, createAtom(side))
  })
}

/** `at` is the corner at the top left, whichever corner that was before. */
function turnSheet(sheet: List, by: Turn): List {
  const [corner, size] = [pointOf(childOf(sheet, 'at')), pointOf(childOf(sheet, 'size'))]
  if (corner === undefined || size === undefined) return sheet
  const other = turn(size, by)
  const moved = mapChild(sheet, 'at', (place) =>
    withPoint(place, { x: corner.x + Math.min(0, other.x), y: corner.y + Math.min(0, other.y) }),
  )
  const sized = mapChild(moved, 'size', (one) =>
    withPoint(one, { x: Math.abs(other.x), y: Math.abs(other.y) }),
  )
  return mapChildren(sized, 'pin', (pin) => {
    const place = childOf(pin, 'at')
    if (place === undefined) return pin
    const angle = turnedAngle(place, by)
    const turned = mapChild(pin, 'at', (one) => withAngle(one, angle))
    // A pin at the left side has its name to the right of it.
    return mapChild(turned, 'effects', (effects) => justified(effects, justificationOf((angle + 180) % 360)))
  })
}
