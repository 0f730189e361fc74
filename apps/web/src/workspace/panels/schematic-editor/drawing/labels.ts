import {
  childOf,
  childrenOf,
  hasFlag,
  type Label,
  type List,
  type SheetPin,
  textIn,
  valuesOf,
} from '@patchbay/kicad-format'
import { type Effects, effectsOf, millimetersIn, placeIn, strokesShape, unescapeName } from './effects.ts'
import { layOutText, lengthOfText, putAt } from './lay-out-text.ts'
import type { DrawingSettings } from './settings.ts'
import { type Drawn, drawn, type Ink, type Place, type Shape } from './shapes.ts'

const NANOMETERS = 1_000_000
const MIL = 0.0254

const at = ({ at: { x, y } }: { readonly at: Place }): Place => ({ x: x / NANOMETERS, y: y / NANOMETERS })

/** Which way it goes from its end: 0 right, 1 up, 2 left, 3 down. */
const quarterOf = (angle: number) => ((Math.round(angle / 90) % 4) + 4) % 4

/** How its text is aligned says more about its way than its angle, which some files have otherwise. */
function wayOf(angle: number, { horizontal }: Effects): number {
  const quarter = quarterOf(angle)
  if (horizontal === 'center') return quarter
  return quarter % 2 === 0 ? (horizontal === 'right' ? 2 : 0) : horizontal === 'right' ? 3 : 1
}

/** From a picture that goes to the right to one that goes elsewhere. */
function turned(places: readonly Place[], from: Place, quarter: number): Place[] {
  return places.map(({ x, y }) => {
    const [dx, dy] = quarter === 0 ? [x, y] : quarter === 1 ? [y, -x] : quarter === 2 ? [-x, -y] : [-y, x]
    return { x: from.x + (dx ?? 0), y: from.y + (dy ?? 0) }
  })
}

/** A text beside the end of a label: so far along it, and so far across, where across is always up or left. */
function labelText(
  text: string,
  style: Effects,
  ink: Ink,
  from: Place,
  quarter: number,
  along: number,
  across: number,
  vertical: Effects['vertical'],
): Shape {
  const isVertical = quarter % 2 === 1
  const way = quarter === 0 || quarter === 3 ? 1 : -1
  const anchor = isVertical
    ? { x: from.x + across, y: from.y + way * along }
    : { x: from.x + way * along, y: from.y + across }
  const horizontal = quarter < 2 ? 'left' : 'right'
  const lines = layOutText(text, { ...style, horizontal, vertical })
  return strokesShape(text, putAt(lines, anchor, isVertical ? 90 : 0), style.pen, style.color ?? ink)
}

export function drawLabel(label: Label, settings: DrawingSettings, resolve: (text: string) => string): Drawn {
  const style = effectsOf(label.node, settings)
  const text = resolve(unescapeName(label.text))
  const from = at(label)
  const quarter = wayOf(label.angle, style)
  const fields = drawLabelFields(label.node, settings, resolve)
  switch (label.kind) {
    case 'label': {
      const up = -(settings.textOffset * style.height + style.width / 8)
      return drawn(label.id, [labelText(text, style, 'label', from, quarter, 0, up, 'bottom'), ...fields])
    }
    case 'global_label':
      return drawn(label.id, [...drawGlobal(label, text, style, from, quarter, settings), ...fields])
    case 'hierarchical_label': {
      const points = flag(label.shape, style.height / 2)
      const along = settings.textOffset * style.height + style.width
      return drawn(label.id, [
        {
          kind: 'line',
          points: turned(points, from, quarter),
          stroke: style.color ?? 'portLabel',
          width: style.pen,
        },
        labelText(text, style, 'portLabel', from, quarter, along, 0, 'center'),
        ...fields,
      ])
    }
    default:
      label.kind satisfies never
      return drawn('', [])
  }
}

/** The outline of a hierarchical label that goes to the right, in halves of its height. */
function flag(shape: string, half: number): Place[] {
  const corners: readonly (readonly [number, number])[] =
    shape === 'input'
      ? [
          [0, 0],
          [1, 1],
          [2, 1],
          [2, -1],
          [1, -1],
          [0, 0],
        ]
      : shape === 'output'
        ? [
            [2, 0],
            [1, -1],
            [0, -1],
            [0, 1],
            [1, 1],
            [2, 0],
          ]
        : shape === 'passive'
          ? [
              [0, 1],
              [2, 1],
              [2, -1],
              [0, -1],
              [0, 1],
            ]
          : [
              [0, 0],
              [1, 1],
              [2, 0],
              [1, -1],
              [0, 0],
            ]
  return corners.map(([x, y]) => ({ x: x * half, y: y * half }))
}

function drawGlobal(
  { shape }: Label,
  text: string,
  style: Effects,
  from: Place,
  quarter: number,
  { labelSize }: DrawingSettings,
): Shape[] {
  const margin = labelSize * style.height
  const half = style.height / 2 + margin
  const length = lengthOfText(text, style) + style.pen * 1.5 + 2 * margin + style.pen
  const [isIn, isOut] = [shape === 'input', shape === 'output']
  const isBoth = shape === 'bidirectional' || shape === 'tri_state'
  const start = isIn || isBoth ? half : 0
  const high = half + style.pen
  const points = [
    { x: 0, y: 0 },
    { x: start, y: -high },
    { x: start + length, y: -high },
    { x: start + length + (isOut || isBoth ? half : 0), y: 0 },
    { x: start + length, y: high },
    { x: start, y: high },
    { x: 0, y: 0 },
  ]
  const along = margin + (isIn || isBoth ? style.height * 0.75 : 0)
  return [
    {
      kind: 'line',
      points: turned(points, from, quarter),
      stroke: style.color ?? 'globalLabel',
      width: style.pen,
    },
    labelText(text, style, 'globalLabel', from, quarter, along, style.height * 0.0715, 'center'),
  ]
}

/** What a label says beside itself, such as the pages that it is on. */
function drawLabelFields(node: List, settings: DrawingSettings, resolve: (text: string) => string): Shape[] {
  return childrenOf(node, 'property').flatMap((property) => {
    const effects = childOf(property, 'effects')
    const place = placeIn(childOf(property, 'at'))
    // On which other sheets it is: KiCad shows that only where the project says so.
    if (valuesOf(property)[1] === '${INTERSHEET_REFS}') return []
    const value = resolve(valuesOf(property)[1] ?? '')
    if (hasFlag(effects, 'hide') || hasFlag(property, 'hide') || place === undefined || value.trim() === '')
      return []
    return [drawPlain(property, value, place, settings, 'field')]
  })
}

/** A text at a place of its own. */
export function drawPlain(node: List, text: string, from: Place, settings: DrawingSettings, ink: Ink): Shape {
  const style = effectsOf(node, settings)
  const angle = Number(valuesOf(childOf(node, 'at'))[2] ?? 0) % 180
  const lines = putAt(layOutText(text, style), from, Number.isFinite(angle) ? angle : 0)
  return strokesShape(text, lines, style.pen, style.color ?? ink)
}

/** On the edge of a sheet, its flag and name inside. Where a signal goes in, the flag is that of one that comes out. */
export function drawSheetPin(pin: SheetPin, settings: DrawingSettings): Shape[] {
  const style = effectsOf(pin.node, settings)
  const from = at(pin)
  const quarter = (quarterOf(pin.angle) + 2) % 4
  const shape = pin.shape === 'input' ? 'output' : pin.shape === 'output' ? 'input' : pin.shape
  const along = settings.textOffset * style.height + style.width
  return [
    {
      kind: 'line',
      points: turned(flag(shape, style.height / 2), from, quarter),
      stroke: style.color ?? 'sheetPin',
      width: style.pen,
    },
    labelText(unescapeName(pin.name), style, 'sheetPin', from, quarter, along, 0, 'center'),
  ]
}

/** A flag that says something about a net, such as its class. */
export function drawDirective(node: List, settings: DrawingSettings): Drawn {
  const from = placeIn(childOf(node, 'at'))
  if (from === undefined) return drawn('', [])
  const quarter = quarterOf(Number(valuesOf(childOf(node, 'at'))[2] ?? 0))
  const length = millimetersIn(node, 'length') ?? 2.54
  const size = 20 * MIL
  const width = settings.lineWidth
  /** One that goes up, from its end. */
  const up = (places: readonly Place[]) =>
    turned(
      places.map(({ x, y }) => ({ x: -y, y: x })),
      from,
      (quarter + 1) % 4,
    )
  const line = (places: readonly Place[]): Shape => ({
    kind: 'line',
    points: up(places),
    stroke: 'directive',
    width,
  })
  const shape = textIn(node, 'shape')
  const shapes: Shape[] = []
  if (shape === 'dot' || shape === 'round') {
    const radius = shape === 'dot' ? size * 0.7 : size
    const [center = from] = up([{ x: 0, y: -length }])
    shapes.push(
      line([
        { x: 0, y: 0 },
        { x: 0, y: -length + (shape === 'dot' ? 0 : radius) },
      ]),
      {
        kind: 'circle',
        center,
        radius,
        width,
        stroke: 'directive',
        ...(shape === 'dot' && { fill: 'directive' as const }),
      },
    )
  } else {
    const [wide, high] = shape === 'diamond' ? [2 * size, size] : [1.6 * size, 0.8 * size]
    shapes.push(
      line([
        { x: 0, y: 0 },
        { x: 0, y: high - length },
      ]),
      line(
        shape === 'diamond'
          ? [
              { x: 0, y: high - length },
              { x: -wide, y: -length },
              { x: 0, y: -high - length },
              { x: wide, y: -length },
              { x: 0, y: high - length },
            ]
          : [
              { x: -wide, y: high - length },
              { x: -wide, y: -high - length },
              { x: wide, y: -high - length },
              { x: wide, y: high - length },
              { x: -wide, y: high - length },
            ],
      ),
    )
  }
  shapes.push(...drawLabelFields(node, settings, (text) => text))
  return drawn(textIn(node, 'uuid') ?? '', shapes)
}
