/** What everything is drawn with: millimeters, y down, as on the sheet. */
export interface Place {
  readonly x: number
  readonly y: number
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Which of the theme's colors a shape has. */
export type Ink =
  | 'body'
  | 'bodyFill'
  | 'pin'
  | 'pinName'
  | 'pinNumber'
  | 'reference'
  | 'value'
  | 'field'
  | 'wire'
  | 'bus'
  | 'junction'
  | 'noConnect'
  | 'label'
  | 'globalLabel'
  | 'portLabel'
  | 'sheet'
  | 'sheetFill'
  | 'sheetName'
  | 'sheetFile'
  | 'sheetPin'
  | 'note'
  | 'directive'
  | 'frame'
  | 'unfitted'

/** A color that the file names itself. */
export type Color = Ink | { readonly css: string }

export type LineType = 'solid' | 'dash' | 'dot' | 'dash_dot' | 'dash_dot_dot'

interface Look {
  /** Without one it has no outline. */
  readonly stroke?: Color | undefined
  readonly width: number
  readonly type?: LineType
  readonly fill?: Color | undefined
}

export type Shape =
  | (Look & { readonly kind: 'line'; readonly points: readonly Place[]; readonly isClosed?: boolean })
  | (Look & { readonly kind: 'circle'; readonly center: Place; readonly radius: number })
  | (Look & { readonly kind: 'bezier'; readonly points: readonly Place[] })
  | (Look & {
      readonly kind: 'arc'
      readonly center: Place
      readonly radius: number
      /** In radians, clockwise from the right as a canvas has them. */
      readonly from: number
      readonly to: number
      readonly isCounterclockwise: boolean
    })
  /** A text: strokes of a pen. `at` and `text` are for what shows texts in another way. */
  | (Look & {
      readonly kind: 'strokes'
      readonly lines: readonly (readonly Place[])[]
      readonly text: string
    })
  | { readonly kind: 'picture'; readonly box: Box; readonly data: string }

/** What one thing on the sheet looks like. */
export interface Drawn {
  /** Of the item; empty for what cannot be selected. */
  readonly id: string
  readonly box: Box
  readonly shapes: readonly Shape[]
}

const NOTHING: Box = {
  left: Number.POSITIVE_INFINITY,
  top: Number.POSITIVE_INFINITY,
  right: Number.NEGATIVE_INFINITY,
  bottom: Number.NEGATIVE_INFINITY,
}

export function around(places: Iterable<Place>, margin = 0): Box {
  let { left, top, right, bottom } = NOTHING
  for (const { x, y } of places) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin }
}

export function union(boxes: Iterable<Box>): Box {
  let all = NOTHING
  for (const { left, top, right, bottom } of boxes)
    all = {
      left: Math.min(all.left, left),
      top: Math.min(all.top, top),
      right: Math.max(all.right, right),
      bottom: Math.max(all.bottom, bottom),
    }
  return all
}

export function overlap(one: Box, other: Box): boolean {
  return (
    one.left <= other.right && other.left <= one.right && one.top <= other.bottom && other.top <= one.bottom
  )
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    outer.left <= inner.left &&
    inner.right <= outer.right &&
    outer.top <= inner.top &&
    inner.bottom <= outer.bottom
  )
}

export function boxOf(shape: Shape): Box {
  if (shape.kind === 'picture') return shape.box
  const margin = shape.width / 2
  switch (shape.kind) {
    case 'line':
    case 'bezier':
      return around(shape.points, margin)
    case 'strokes':
      return union(shape.lines.map((line) => around(line, margin)))
    case 'circle':
    case 'arc': {
      const { center, radius } = shape
      return around([center], radius + margin)
    }
    default:
      shape satisfies never
      return NOTHING
  }
}

export function drawn(id: string, shapes: readonly Shape[]): Drawn {
  return { id, shapes, box: union(shapes.map(boxOf)) }
}
