import { type Box, type Drawn, type LineType, overlap, type Place, type Shape } from '../drawing/shapes.ts'
import { cssOf, type SheetTheme } from './theme.ts'

/** Which part of the sheet a canvas shows: pixels = millimeters × scale + offset. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Painting {
  readonly theme: SheetTheme
  readonly view: View
  /** In pixels of the canvas. */
  readonly width: number
  readonly height: number
  /** Lines are at least so wide, in pixels. */
  readonly thinnest?: number
}

/** In widths of the line, and then a gap, as KiCad plots them. */
const DASHES: Readonly<Record<LineType, readonly number[]>> = {
  solid: [],
  dash: [11, 4],
  dot: [0.1, 4],
  dash_dot: [11, 4, 0.1, 4],
  dash_dot_dot: [11, 4, 0.1, 4, 0.1, 4],
}

const paths = new WeakMap<Shape, Path2D>()

function pathOf(shape: Shape): Path2D {
  const found = paths.get(shape)
  if (found !== undefined) return found
  const path = new Path2D()
  trace(path, shape)
  paths.set(shape, path)
  return path
}

function traceLine(path: Path2D, points: readonly Place[]): void {
  const [first, ...others] = points
  if (first === undefined) return
  path.moveTo(first.x, first.y)
  for (const { x, y } of others) path.lineTo(x, y)
}

function trace(path: Path2D, shape: Shape): void {
  switch (shape.kind) {
    case 'line':
      traceLine(path, shape.points)
      if (shape.isClosed === true) path.closePath()
      break
    case 'strokes':
      for (const line of shape.lines) traceLine(path, line)
      break
    case 'bezier': {
      const [from, one, other, to] = shape.points
      if (from === undefined || one === undefined || other === undefined || to === undefined) break
      path.moveTo(from.x, from.y)
      path.bezierCurveTo(one.x, one.y, other.x, other.y, to.x, to.y)
      break
    }
    case 'circle':
      path.arc(shape.center.x, shape.center.y, shape.radius, 0, 2 * Math.PI)
      break
    case 'arc':
      path.arc(shape.center.x, shape.center.y, shape.radius, shape.from, shape.to, shape.isCounterclockwise)
      break
    case 'picture':
      break
    default:
      shape satisfies never
  }
}

/** What of the sheet is in view. */
function visibleBox({ view, width, height }: Painting): Box {
  return {
    left: -view.x / view.scale,
    top: -view.y / view.scale,
    right: (width - view.x) / view.scale,
    bottom: (height - view.y) / view.scale,
  }
}

export type Pictures = (data: string) => CanvasImageSource | undefined

/** Draws what is in view: what is filled with a background first, then all lines and texts. */
export function paint(
  context: CanvasRenderingContext2D,
  list: readonly Drawn[],
  painting: Painting,
  pictures: Pictures = () => undefined,
): void {
  const { view, theme, thinnest = 0.75 } = painting
  const visible = visibleBox(painting)
  const shown = list.filter(({ box }) => overlap(box, visible))
  context.setTransform(view.scale, 0, 0, view.scale, view.x, view.y)
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const { shapes } of shown)
    for (const shape of shapes) {
      if (shape.kind === 'picture') paintPicture(context, shape, pictures)
      else if (shape.fill === 'bodyFill' || shape.fill === 'sheetFill') {
        context.fillStyle = cssOf(theme, shape.fill)
        context.fill(pathOf(shape))
      }
    }
  for (const { shapes } of shown)
    for (const shape of shapes) paintShape(context, shape, theme, thinnest / view.scale)
  context.setLineDash([])
}

function paintShape(
  context: CanvasRenderingContext2D,
  shape: Shape,
  theme: SheetTheme,
  thinnest: number,
): void {
  if (shape.kind === 'picture') return
  if (shape.fill !== undefined && shape.fill !== 'bodyFill' && shape.fill !== 'sheetFill') {
    context.fillStyle = cssOf(theme, shape.fill)
    context.fill(pathOf(shape))
  }
  if (shape.stroke === undefined) return
  context.strokeStyle = cssOf(theme, shape.stroke)
  context.lineWidth = Math.max(shape.width, thinnest)
  context.setLineDash((DASHES[shape.type ?? 'solid'] ?? []).map((part) => part * shape.width))
  context.stroke(pathOf(shape))
}

function paintPicture(
  context: CanvasRenderingContext2D,
  { box, data }: Extract<Shape, { kind: 'picture' }>,
  pictures: Pictures,
): void {
  const picture = pictures(data)
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  if (picture !== undefined) context.drawImage(picture, box.left, box.top, width, height)
  else {
    context.setLineDash([])
    context.lineWidth = 0.15
    context.strokeStyle = '#888'
    context.strokeRect(box.left, box.top, width, height)
  }
}

/** The same shapes in one color and wider: what is selected, or belongs to a net. */
export function paintGlow(
  context: CanvasRenderingContext2D,
  list: readonly Drawn[],
  { view }: Painting,
  css: string,
  extra: number,
): void {
  context.setTransform(view.scale, 0, 0, view.scale, view.x, view.y)
  context.strokeStyle = css
  context.globalAlpha = 0.45
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.setLineDash([])
  for (const { shapes } of list)
    for (const shape of shapes)
      if (shape.kind !== 'picture') {
        context.lineWidth = shape.width + extra / view.scale
        context.stroke(pathOf(shape))
      }
  context.globalAlpha = 1
}
