import { childOf, childrenOf, type List, textIn, valueOf } from '@patchbay/kicad-format'
import { effectsOf, fillOf, millimetersIn, placeIn, strokeOf, strokesShape } from './effects.ts'
import { layOutText, putAt } from './lay-out-text.ts'
import type { DrawingSettings } from './settings.ts'
import { around, type Ink, type Place, type Shape } from './shapes.ts'

export interface GraphicInks {
  readonly stroke: Ink
  readonly background: Ink | undefined
}

/** Where the points of a drawing are on the sheet. */
export type Mapping = (place: Place) => Place

const MOST_POINTS = 20_000

function cornersOf(node: List): Place[] {
  return childrenOf(childOf(node, 'pts'), 'xy')
    .slice(0, MOST_POINTS)
    .flatMap((xy) => placeIn(xy) ?? [])
}

/** A circle's part through three points; a line where they are on one. */
function arcThrough(
  start: Place,
  middle: Place,
  end: Place,
): { center: Place; radius: number; from: number; to: number; isCounterclockwise: boolean } | undefined {
  const [ax, ay] = [middle.x - start.x, middle.y - start.y]
  const [bx, by] = [end.x - start.x, end.y - start.y]
  const cross = 2 * (ax * by - ay * bx)
  if (Math.abs(cross) < 1e-9) return undefined
  const [a, b] = [ax * ax + ay * ay, bx * bx + by * by]
  const center = { x: start.x + (by * a - ay * b) / cross, y: start.y + (ax * b - bx * a) / cross }
  const angle = ({ x, y }: Place) => Math.atan2(y - center.y, x - center.x)
  return {
    center,
    radius: Math.hypot(start.x - center.x, start.y - center.y),
    from: angle(start),
    to: angle(end),
    isCounterclockwise: cross < 0,
  }
}

/** Lines, rectangles, circles, arcs and curves, of symbols and of sheets. */
export function drawGraphic(node: List, map: Mapping, inks: GraphicInks, settings: DrawingSettings): Shape[] {
  const stroke = strokeOf(node, inks.stroke, settings.lineWidth)
  const fill = fillOf(node, inks.stroke, inks.background)
  const look = { ...stroke, fill }
  switch (node.head) {
    case 'polyline':
    case 'bezier': {
      const points = cornersOf(node).map(map)
      if (points.length < 2) return []
      const isCurve = node.head === 'bezier' && points.length === 4
      return [{ kind: isCurve ? 'bezier' : 'line', points, ...look }]
    }
    case 'rectangle': {
      const [start, end] = [placeIn(childOf(node, 'start')), placeIn(childOf(node, 'end'))]
      if (start === undefined || end === undefined) return []
      const points = [start, { x: end.x, y: start.y }, end, { x: start.x, y: end.y }].map(map)
      return [{ kind: 'line', points, isClosed: true, ...look }]
    }
    case 'circle': {
      const center = placeIn(childOf(node, 'center'))
      const radius = millimetersIn(node, 'radius')
      return center === undefined || radius === undefined || radius < 0
        ? []
        : [{ kind: 'circle', center: map(center), radius, ...look }]
    }
    case 'arc': {
      const points = ['start', 'mid', 'end'].map((name) => placeIn(childOf(node, name)))
      const [start, middle, end] = points.map((point) => (point === undefined ? undefined : map(point)))
      if (start === undefined || middle === undefined || end === undefined) return []
      const arc = arcThrough(start, middle, end)
      return arc === undefined
        ? [{ kind: 'line', points: [start, end], ...look }]
        : [{ kind: 'arc', ...arc, ...look }]
    }
    default:
      return []
  }
}

/** Between the edge of a text box and its text, where the file does not say. */
const marginOf = (size: number, width: number) => width / 2 + size * 0.75

/** A frame with a text that breaks between words. */
export function drawTextBox(
  node: List,
  text: string,
  settings: DrawingSettings,
  inks: { readonly stroke: Ink; readonly text: Ink },
): Shape[] {
  const at = placeIn(childOf(node, 'at'))
  const size = placeIn(childOf(node, 'size'))
  if (at === undefined || size === undefined) return []
  const angle = Number(angleIn(node)) % 180
  const style = effectsOf(node, settings, { horizontal: 'center', vertical: 'center' })
  const stroke = strokeOf(node, inks.stroke, settings.lineWidth)
  const box = around([at, { x: at.x + size.x, y: at.y + size.y }])
  const points = [
    { x: box.left, y: box.top },
    { x: box.right, y: box.top },
    { x: box.right, y: box.bottom },
    { x: box.left, y: box.bottom },
  ]
  const frame: Shape = {
    kind: 'line',
    points,
    isClosed: true,
    ...stroke,
    fill: fillOf(node, inks.stroke, undefined),
  }
  const given = (childOf(node, 'margins')?.children ?? []).map((child) =>
    child.kind === 'atom' ? Number(valueOf(child)) : 0,
  )
  const usual = marginOf(style.height, stroke.width)
  const [, left = usual, top = usual, right = usual, bottom = usual] = given.map((one) =>
    Number.isFinite(one) ? one : usual,
  )
  const isVertical = angle === 90
  const room = isVertical ? box.bottom - box.top - top - bottom : box.right - box.left - left - right
  const wrapped = wrap(text, room, (line) => lengthOf(line, style))
  const x =
    style.horizontal === 'left'
      ? box.left + left
      : style.horizontal === 'right'
        ? box.right - right
        : (box.left + left + box.right - right) / 2
  const y =
    style.vertical === 'top'
      ? box.top + top
      : style.vertical === 'bottom'
        ? box.bottom - bottom
        : (box.top + top + box.bottom - bottom) / 2
  const anchor = isVertical
    ? {
        x:
          style.vertical === 'top'
            ? box.left + left
            : style.vertical === 'bottom'
              ? box.right - right
              : (box.left + box.right) / 2,
        y:
          style.horizontal === 'left'
            ? box.bottom - bottom
            : style.horizontal === 'right'
              ? box.top + top
              : (box.top + box.bottom) / 2,
      }
    : { x, y }
  const lines = putAt(layOutText(wrapped, style), anchor, isVertical ? 90 : 0)
  return [frame, strokesShape(wrapped, lines, style.pen, style.color ?? inks.text)]
}

function angleIn(node: List): string {
  return textOfThird(childOf(node, 'at'))
}

function textOfThird(at: List | undefined): string {
  const third = at?.children[3]
  return third?.kind === 'atom' ? third.text : '0'
}

function lengthOf(line: string, style: Parameters<typeof layOutText>[1]): number {
  let right = 0
  for (const stroke of layOutText(line, { ...style, horizontal: 'left' }))
    for (const { x } of stroke) right = Math.max(right, x)
  return right
}

function wrap(text: string, room: number, length: (line: string) => number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const rows: string[] = []
      let row = ''
      for (const word of line.split(' ')) {
        const longer = row === '' ? word : `${row} ${word}`
        if (row !== '' && length(longer) > room) {
          rows.push(row)
          row = word
        } else row = longer
      }
      return [...rows, row]
    })
    .join('\n')
}

/** A picture in the file: where, how large, and its bytes in base64. PNG and JPEG files alone. */
export function drawPicture(node: List): Shape[] {
  const at = placeIn(childOf(node, 'at'))
  if (at === undefined) return []
  const scale = Number(textIn(node, 'scale') ?? 1)
  const data = (childOf(node, 'data')?.children ?? [])
    .flatMap((child) => (child.kind === 'atom' && child.text !== 'data' ? [valueOf(child)] : []))
    .join('')
  const pixels = sizeOfPicture(data)
  if (pixels === undefined || !(scale > 0)) return []
  // 300 pixels an inch, unless the picture says another number.
  const [width, height] = [pixels.width, pixels.height].map(
    (one) => ((one / pixels.perInch) * 25.4 * scale) / 2,
  )
  if (width === undefined || height === undefined) return []
  const box = { left: at.x - width, top: at.y - height, right: at.x + width, bottom: at.y + height }
  return [{ kind: 'picture', box, data: `data:${pixels.type};base64,${data}` }]
}

const PER_METER = 39.3701

function sizeOfPicture(
  data: string,
): { width: number; height: number; perInch: number; type: string } | undefined {
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(atob(data.slice(0, 4_000)), (one) => one.charCodeAt(0))
  } catch {
    return undefined
  }
  const view = new DataView(bytes.buffer)
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47) return undefined
  let perInch = 300
  for (let at = 8; at + 21 <= bytes.length; ) {
    const [length, name] = [view.getUint32(at), view.getUint32(at + 4)]
    // pHYs: pixels for each meter.
    if (name === 0x70485973 && view.getUint8(at + 16) === 1)
      perInch = Math.max(1, view.getUint32(at + 8) / PER_METER)
    at += 12 + length
  }
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    perInch: Math.round(perInch),
    type: 'image/png',
  }
}
