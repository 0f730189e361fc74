import { type Document, isList, type List } from '../tree/node.ts'
import {
  angleOf,
  childOf,
  childrenOf,
  hasFlag,
  lengthOf,
  numberOf,
  type Point,
  pointOf,
  textIn,
  valueOf,
  valuesOf,
} from '../tree/value.ts'
import type {
  Graphic,
  LibraryPin,
  LibrarySymbol,
  LibraryUnit,
  PlacedSymbol,
  Property,
  Schematic,
} from './items.ts'

/** KiCad's own where a file does not say. */
const PIN_NAME_OFFSET = 508_000

function readProperty(node: List): Property | undefined {
  const [name, value] = valuesOf(node)
  if (name === undefined || value === undefined) return undefined
  return {
    name,
    value,
    at: pointOf(childOf(node, 'at')),
    angle: angleOf(childOf(node, 'at')),
    isHidden: hasFlag(node, 'hide') || hasFlag(childOf(node, 'effects'), 'hide'),
    node,
  }
}

export function readProperties(node: List): Property[] {
  return childrenOf(node, 'property').flatMap((one) => readProperty(one) ?? [])
}

const known = new WeakMap<List, LibrarySymbol>()

/** A symbol's definition, of `lib_symbols` or a library's file. */
export function readLibrarySymbol(node: List): LibrarySymbol | undefined {
  const found = known.get(node)
  if (found !== undefined) return found
  const [id] = valuesOf(node)
  if (node.head !== 'symbol' || id === undefined) return undefined
  const names = childOf(node, 'pin_names')
  const numbers = childOf(node, 'pin_numbers')
  const symbol: LibrarySymbol = {
    id,
    base: textIn(node, 'extends'),
    isPower: childOf(node, 'power') !== undefined,
    hasPinNames: !hasFlag(names, 'hide'),
    hasPinNumbers: !hasFlag(numbers, 'hide'),
    pinNameOffset: lengthOf(textIn(names, 'offset')) ?? PIN_NAME_OFFSET,
    properties: readProperties(node),
    units: childrenOf(node, 'symbol').flatMap((unit) => readUnit(unit) ?? []),
    node,
  }
  known.set(node, symbol)
  return symbol
}

/** The symbols of a `.kicad_sym` file; `undefined` for any other file. */
export function readLibrary({ roots }: Document): LibrarySymbol[] | undefined {
  const root = roots[0]
  if (!isList(root, 'kicad_symbol_lib')) return undefined
  return childrenOf(root, 'symbol').flatMap((one) => readLibrarySymbol(one) ?? [])
}

/** Its name ends with unit and body style: `R_0_1`. */
function readUnit(node: List): LibraryUnit | undefined {
  const [, unit, bodyStyle] = /_(\d{1,4})_(\d{1,4})$/.exec(valuesOf(node)[0] ?? '') ?? []
  if (unit === undefined || bodyStyle === undefined) return undefined
  return {
    unit: Number(unit),
    bodyStyle: Number(bodyStyle),
    pins: childrenOf(node, 'pin').flatMap((pin) => readPin(pin) ?? []),
    graphics: node.children.flatMap((child) => (child.kind === 'list' ? (readGraphic(child) ?? []) : [])),
  }
}

function readPin(node: List): LibraryPin | undefined {
  const [type = '', shape = ''] = valuesOf(node)
  const at = pointOf(childOf(node, 'at'))
  const number = textIn(node, 'number')
  if (at === undefined || number === undefined) return undefined
  return {
    number: unlessNone(number),
    name: unlessNone(textIn(node, 'name') ?? ''),
    type,
    shape,
    at,
    angle: angleOf(childOf(node, 'at')),
    length: lengthOf(textIn(node, 'length')) ?? 0,
    isHidden: hasFlag(node, 'hide'),
    node,
  }
}

/** What KiCad 6 and older wrote for an empty text. */
function unlessNone(text: string): string {
  return text === '~' ? '' : text
}

function pointsOf(node: List, names: readonly string[]): Point[] | undefined {
  const points = names.map((name) => pointOf(childOf(node, name)))
  return points.every((point) => point !== undefined) ? points : undefined
}

function corners(node: List): Point[] | undefined {
  const points = childrenOf(childOf(node, 'pts'), 'xy').map((point) => pointOf(point))
  return points.length > 0 && points.every((point) => point !== undefined) ? points : undefined
}

const POINTS: Readonly<Record<Graphic['kind'], (node: List) => Point[] | undefined>> = {
  arc: (node) => pointsOf(node, ['start', 'mid', 'end']),
  bezier: corners,
  circle: (node) => pointsOf(node, ['center']),
  polyline: corners,
  rectangle: (node) => pointsOf(node, ['start', 'end']),
  text: (node) => pointsOf(node, ['at']),
}

function isGraphic(head: string): head is Graphic['kind'] {
  return Object.hasOwn(POINTS, head)
}

function readGraphic(node: List): Graphic | undefined {
  const { head } = node
  const points = isGraphic(head) ? POINTS[head](node) : undefined
  if (!isGraphic(head) || points === undefined) return undefined
  const [, first] = node.children
  const stroke = childOf(node, 'stroke')
  return {
    kind: head,
    points,
    radius: lengthOf(textIn(node, 'radius')) ?? 0,
    strokeWidth: lengthOf(textIn(stroke, 'width')) ?? 0,
    strokeType: textIn(stroke, 'type') ?? 'default',
    fill: textIn(childOf(node, 'fill'), 'type') ?? 'none',
    text: first?.kind === 'atom' ? valueOf(first) : '',
    // KiCad stores the angle of texts in symbols in tenths of a degree.
    angle: head === 'text' ? ((numberOf(valuesOf(childOf(node, 'at'))[2]) ?? 0) / 10) % 360 : 0,
    node,
  }
}

/** Those of unit and body style 0 belong to every one. */
export function unitsOf(symbol: LibrarySymbol, unit: number, bodyStyle: number): LibraryUnit[] {
  return symbol.units.filter(
    (one) => (one.unit === 0 || one.unit === unit) && (one.bodyStyle === 0 || one.bodyStyle === bodyStyle),
  )
}

/** Finds the definitions of a schematic's symbols. */
export function definitionsOf({
  library,
}: Pick<Schematic, 'library'>): (
  symbol: Pick<PlacedSymbol, 'libName' | 'libId'>,
) => LibrarySymbol | undefined {
  const byId = new Map(library.map((one) => [one.id, one]))
  return ({ libName, libId }) => byId.get(libName) ?? byId.get(libId)
}
