import { childOf, createList, type LibraryPin, type LibrarySymbol } from '@patchbay/kicad-format'
import { type Effects, effectsOf, strokesShape, unescapeName } from './effects.ts'
import type { Mapping } from './graphics.ts'
import { layOutText, putAt } from './lay-out-text.ts'
import type { DrawingSettings } from './settings.ts'
import type { Place, Shape } from './shapes.ts'

const NANOMETERS = 1_000_000
const MIL = 0.0254
/** Between the line of a pin and its texts. */
const TEXT_MARGIN = 4 * MIL
/** Of the cross of a pin that is never connected. */
const UNCONNECTED = 15 * MIL
const NO_EFFECTS = createList([], [''])

/** A pin with its shape, name and number. */
export function drawPin(
  pin: LibraryPin,
  definition: LibrarySymbol | undefined,
  map: Mapping,
  settings: DrawingSettings,
): Shape[] {
  const from = { x: pin.at.x / NANOMETERS, y: pin.at.y / NANOMETERS }
  const length = pin.length / NANOMETERS
  const at = map(from)
  const angle = Math.round(pin.angle / 90) % 4
  const [dx, dy] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][angle] ?? [1, 0]
  const ahead = map({ x: from.x + (dx ?? 0), y: from.y + (dy ?? 0) })
  // From where it is connected toward the body.
  const toward = { x: Math.round(ahead.x - at.x), y: Math.round(ahead.y - at.y) }
  const body = { x: at.x + toward.x * length, y: at.y + toward.y * length }
  const name = effectsOf(childOf(pin.node, 'name') ?? NO_EFFECTS, settings)
  const number = effectsOf(childOf(pin.node, 'number') ?? NO_EFFECTS, settings)
  const outside = settings.pinSymbolSize > 0 ? settings.pinSymbolSize : number.height / 2
  const inside = settings.pinSymbolSize > 0 ? settings.pinSymbolSize : name.height / 2
  return [
    ...drawLine(pin, { at, body, toward }, { outside, inside }, settings.lineWidth),
    ...drawTexts(pin, definition, { at, body, toward }, { name, number }),
  ]
}

interface PinPlace {
  readonly at: Place
  readonly body: Place
  readonly toward: Place
}

function drawLine(
  { shape, type }: LibraryPin,
  { at, body, toward }: PinPlace,
  { outside, inside }: { readonly outside: number; readonly inside: number },
  width: number,
): Shape[] {
  /** So far out of the body, and so far beside the pin. */
  const off = (out: number, aside = 0): Place => ({
    x: body.x - toward.x * out + Math.abs(toward.y) * aside,
    y: body.y - toward.y * out + Math.abs(toward.x) * aside,
  })
  const line = (...points: readonly Place[]): Shape => ({ kind: 'line', points, stroke: 'pin', width })
  const shapes: Shape[] = []
  const isInverted = shape === 'inverted' || shape === 'inverted_clock'
  const isFalling = shape === 'edge_clock_high'
  if (isInverted) shapes.push({ kind: 'circle', center: off(outside), radius: outside, stroke: 'pin', width })
  if (isFalling) shapes.push(line(off(0, outside), off(2 * outside), off(0, -outside)))
  shapes.push(line(isInverted || isFalling ? off(2 * outside) : body, at))
  if (shape === 'clock' || shape === 'inverted_clock' || shape === 'clock_low')
    shapes.push(line(off(0, inside), off(-inside), off(0, -inside)))
  if (shape === 'input_low' || shape === 'clock_low')
    shapes.push(line(off(2 * outside), off(2 * outside, -2 * outside), body))
  if (shape === 'output_low') shapes.push(line(off(0, -2 * outside), off(2 * outside)))
  if (shape === 'non_logic')
    shapes.push(
      line(off(-outside, -outside), off(outside, outside)),
      line(off(-outside, outside), off(outside, -outside)),
    )
  if (type === 'no_connect')
    for (const way of [1, -1])
      shapes.push(
        line(
          { x: at.x - UNCONNECTED, y: at.y - way * UNCONNECTED },
          { x: at.x + UNCONNECTED, y: at.y + way * UNCONNECTED },
        ),
      )
  return shapes
}

function drawTexts(
  pin: LibraryPin,
  definition: LibrarySymbol | undefined,
  { at, body, toward }: PinPlace,
  { name, number }: { readonly name: Effects; readonly number: Effects },
): Shape[] {
  const shapes: Shape[] = []
  const middle = { x: (at.x + body.x) / 2, y: (at.y + body.y) / 2 }
  const isVertical = toward.y !== 0
  const hasName = definition?.hasPinNames !== false && pin.name !== ''
  const hasNumber = definition?.hasPinNumbers !== false && pin.number !== ''
  const offset = (definition?.pinNameOffset ?? 0) / NANOMETERS
  /** Beside the line: above it, or to the left of one that goes up. */
  const beside = (distance: number): Place =>
    isVertical ? { x: middle.x + distance, y: middle.y } : { x: middle.x, y: middle.y + distance }
  const write = (
    text: string,
    anchor: Place,
    style: Effects,
    ink: 'pinName' | 'pinNumber',
    horizontal: Effects['horizontal'],
    vertical: Effects['vertical'],
  ) => {
    const lines = layOutText(text, { ...style, horizontal, vertical })
    shapes.push(strokesShape(text, putAt(lines, anchor, isVertical ? 90 : 0), style.pen, style.color ?? ink))
  }
  if (hasName) {
    const text = unescapeName(pin.name)
    if (offset > 0) {
      const anchor = { x: body.x + toward.x * offset, y: body.y + toward.y * offset }
      // Of a pin that points down the name ends at the body.
      const isEnd = toward.x < 0 || toward.y > 0
      write(text, anchor, name, 'pinName', isEnd ? 'right' : 'left', 'center')
    } else write(text, beside(-TEXT_MARGIN - name.pen), name, 'pinName', 'center', 'bottom')
  }
  if (hasNumber) {
    const isBelow = hasName && offset === 0
    const distance = TEXT_MARGIN + number.pen
    write(
      pin.number,
      beside(isBelow ? distance : -distance),
      number,
      'pinNumber',
      'center',
      isBelow ? 'top' : 'bottom',
    )
  }
  return shapes
}
