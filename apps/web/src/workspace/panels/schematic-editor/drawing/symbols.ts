import {
  childOf,
  childrenOf,
  hasFlag,
  isList,
  type LibraryPin,
  type LibrarySymbol,
  type List,
  numberOf,
  type PlacedSymbol,
  type Property,
  placeOf,
  unitsOf,
  valuesOf,
} from '@patchbay/kicad-format'
import { type Effects, effectsOf, penOf, strokesShape } from './effects.ts'
import { drawGraphic, type GraphicInks } from './graphics.ts'
import { heightOfText, layOutText, lengthOfText, putAt } from './lay-out-text.ts'
import { drawPin } from './pins.ts'
import type { DrawingSettings } from './settings.ts'
import { type Box, boxOf, type Drawn, drawn, type Ink, type Place, type Shape, union } from './shapes.ts'

const NANOMETERS = 1_000_000
const BODY: GraphicInks = { stroke: 'body', background: 'bodyFill' }

export interface SymbolContext {
  readonly settings: DrawingSettings
  /** In this place of the hierarchy. */
  readonly reference: string
  readonly unit: number
  readonly resolve: (text: string, symbol: PlacedSymbol) => string
}

/** Where a symbol has what its definition has. Lengths are millimeters; y of a definition goes up. */
function mappingOf(symbol: Pick<PlacedSymbol, 'at' | 'angle' | 'mirror'>): (place: Place) => Place {
  const origin = placeOf(symbol, { x: 0, y: 0 })
  const right = placeOf(symbol, { x: 1, y: 0 })
  const up = placeOf(symbol, { x: 0, y: 1 })
  const [rx, ry] = [right.x - origin.x, right.y - origin.y]
  const [ux, uy] = [up.x - origin.x, up.y - origin.y]
  const [ox, oy] = [origin.x / NANOMETERS, origin.y / NANOMETERS]
  return ({ x, y }) => ({ x: ox + rx * x + ux * y, y: oy + ry * x + uy * y })
}

export function drawSymbol(
  symbol: PlacedSymbol,
  definition: LibrarySymbol | undefined,
  context: SymbolContext,
): Drawn {
  const { settings, unit } = context
  const map = mappingOf(symbol)
  const shapes: Shape[] = []
  const units = definition === undefined ? [] : unitsOf(definition, unit, symbol.bodyStyle)
  for (const part of units.flatMap((one) => partsOf(definition, one.unit, one.bodyStyle)))
    for (const shape of drawPart(part, symbol, map, settings)) shapes.push(shape)
  const body = union(shapes.filter(({ kind }) => kind !== 'strokes').map(boxOf))
  if (definition === undefined) shapes.push(...missingSymbol(symbol, settings))
  const alternates = new Map(
    symbol.pins.flatMap(({ number, alternate }) => (alternate === undefined ? [] : [[number, alternate]])),
  )
  const pinShapes = units
    .flatMap(({ pins }) => pins)
    .filter(({ isHidden }) => !isHidden)
    .flatMap((pin) => drawPin(withAlternate(pin, alternates.get(pin.number)), definition, map, settings))
  shapes.push(...pinShapes)
  for (const property of symbol.properties) shapes.push(...drawField(property, symbol, context, definition))
  const pinLines = pinShapes.filter(({ kind }) => kind !== 'strokes')
  if (!symbol.isFitted) shapes.push(...crossOut(body, union([body, ...pinLines.map(boxOf)]), settings))
  return drawn(symbol.id, shapes)
}

/** A definition's graphics, texts and text boxes, in the order of the file. */
function partsOf(definition: LibrarySymbol | undefined, unit: number, bodyStyle: number): List[] {
  const ending = `_${unit}_${bodyStyle}`
  return childrenOf(definition?.node, 'symbol')
    .filter((one) => (valuesOf(one)[0] ?? '').endsWith(ending))
    .flatMap((one) => one.children.filter((child): child is List => isList(child)))
}

function drawPart(
  part: List,
  symbol: PlacedSymbol,
  map: (place: Place) => Place,
  settings: DrawingSettings,
): Shape[] {
  if (part.head !== 'text') return drawGraphic(part, map, BODY, settings)
  const [x = 0, y = 0, tenths = 0] = valuesOf(childOf(part, 'at')).map((value) => numberOf(value) ?? 0)
  const text = valuesOf(part)[0] ?? ''
  if (hasFlag(part, 'hide') || hasFlag(childOf(part, 'effects'), 'hide')) return []
  const style = effectsOf(part, settings)
  return turnedText(text, map({ x, y }), (tenths / 10) % 180, style, symbol, 'body')
}

/** What KiCad adds to the length of a text that is placed by its box. */
const BOX_MARGIN = 1.46

/** Texts of a symbol turn with it, and stay readable: what moves is where they are from their anchor. */
function turnedText(
  text: string,
  at: Place,
  angle: number,
  style: Effects,
  symbol: Pick<PlacedSymbol, 'angle' | 'mirror'>,
  ink: Ink,
): Shape[] {
  if (text.trim() === '') return []
  const length = lengthOfText(text, style) + style.pen * BOX_MARGIN
  const height = heightOfText(text, style)
  const x = style.horizontal === 'left' ? length / 2 : style.horizontal === 'right' ? -length / 2 : 0
  const y = style.vertical === 'top' ? height / 2 : style.vertical === 'bottom' ? -height / 2 : 0
  const [own] = putAt([[{ x, y }]], { x: 0, y: 0 }, angle)
  const [from = { x: 0, y: 0 }] = own ?? []
  const turn = mappingOf({ ...symbol, at: { x: 0, y: 0 } })
  const away = turn({ x: from.x, y: -from.y })
  const isTurned = symbol.angle % 180 !== 0
  const shown = isTurned ? (angle + 90) % 180 : angle
  const center = { x: at.x + away.x, y: at.y + away.y }
  const lines = putAt(layOutText(text, { ...style, horizontal: 'center', vertical: 'center' }), center, shown)
  return [strokesShape(text, lines, style.pen, style.color ?? ink)]
}

const FIELD_INKS: Readonly<Record<string, Ink>> = { Reference: 'reference', Value: 'value' }

function drawField(
  property: Property,
  symbol: PlacedSymbol,
  { settings, reference, unit, resolve }: SymbolContext,
  definition: LibrarySymbol | undefined,
): Shape[] {
  if (property.isHidden || property.at === undefined) return []
  const isReference = property.name === 'Reference'
  const value = isReference ? `${reference}${unitLetter(definition, unit)}` : resolve(property.value, symbol)
  const text = hasFlag(property.node, 'show_name') ? `${property.name}: ${value}` : value
  const at = { x: property.at.x / NANOMETERS, y: property.at.y / NANOMETERS }
  const style = effectsOf(property.node, settings)
  return turnedText(text, at, property.angle % 180, style, symbol, FIELD_INKS[property.name] ?? 'field')
}

/** Of several units in one part each has a letter: U1A. */
function unitLetter(definition: LibrarySymbol | undefined, unit: number): string {
  const count = Math.max(0, ...(definition?.units.map((one) => one.unit) ?? []))
  if (count < 2) return ''
  let letters = ''
  for (let left = unit; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}

function withAlternate(pin: LibraryPin, name: string | undefined): LibraryPin {
  if (name === undefined) return pin
  const found = childrenOf(pin.node, 'alternate').find((one) => valuesOf(one)[0] === name)
  const [, type = pin.type, shape = pin.shape] = valuesOf(found)
  return { ...pin, name, type, shape }
}

/** As KiCad shows a symbol whose definition is not in the file. */
function missingSymbol(symbol: PlacedSymbol, settings: DrawingSettings): Shape[] {
  const map = mappingOf(symbol)
  const size = 2.54
  const points = [
    { x: -size, y: -size },
    { x: size, y: -size },
    { x: size, y: size },
    { x: -size, y: size },
  ].map(map)
  const pen = penOf({ width: 1.27, height: 1.27, isBold: false, thickness: 0 }, settings)
  const style = {
    width: 1.27,
    height: 1.27,
    pen,
    isItalic: false,
    horizontal: 'center',
    vertical: 'center',
  } as const
  return [
    { kind: 'line', points, isClosed: true, stroke: 'body', width: settings.lineWidth },
    strokesShape('??', putAt(layOutText('??', style), map({ x: 0, y: 0 }), 0), pen, 'body'),
  ]
}

/** A part that is not to be fitted. The cross reaches over the body into the pins, as in KiCad. */
function crossOut(body: Box, whole: Box, { lineWidth }: DrawingSettings): Shape[] {
  if (!(body.left <= body.right)) return []
  const x = Math.max(body.left - whole.left, whole.right - body.right, 0)
  const y = Math.max(body.top - whole.top, whole.bottom - body.bottom, 0)
  const wide = Math.max(x * 0.6, y * 0.3)
  const high = Math.max(y * 0.6, wide * 0.3)
  const [left, right] = [body.left - wide, body.right + wide]
  const [top, bottom] = [body.top - high, body.bottom + high]
  const line = (from: Place, to: Place): Shape => ({
    kind: 'line',
    points: [from, to],
    stroke: 'unfitted',
    width: lineWidth * 3,
  })
  return [
    line({ x: left, y: top }, { x: right, y: bottom }),
    line({ x: left, y: bottom }, { x: right, y: top }),
  ]
}
