import type { Place } from '../drawing/shapes.ts'
import type { View } from './paint.ts'
import type { SheetTheme } from './theme.ts'
import { toPixels } from './view.ts'

/** Something that is wrong at a place of the sheet. */
export interface Mark {
  /** Of what it is about. */
  readonly key: number
  readonly at: Place
  readonly severity: 'error' | 'warning'
  /** Of those at the same place: they stand side by side. */
  readonly position: number
  readonly isSelected: boolean
  /** The sheet has changed since. */
  readonly isStale: boolean
}

/** In pixels: from the place to the middle of the sign, and the size of that. */
const AWAY = 15
const SIZE = 9

const signAt = (view: View, { at, position }: Mark): Place => {
  const { x, y } = toPixels(view, at)
  return { x: x + AWAY + position * (2 * SIZE + 3), y: y - AWAY }
}

/** The sign under a point of the canvas: the one that is painted last. */
export function markAt(marks: readonly Mark[], view: View, { x, y }: Place): Mark | undefined {
  return marks.findLast((mark) => {
    const sign = signAt(view, mark)
    return Math.hypot(x - sign.x, y - sign.y) <= SIZE + 3
  })
}

/** Errors are round with a cross, warnings three-cornered with an exclamation mark; what is old is not filled. */
export function paintMarks(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  view: View,
  theme: SheetTheme,
): void {
  for (const mark of marks) {
    const color = theme[mark.severity]
    const place = toPixels(view, mark.at)
    const { x, y } = signAt(view, mark)
    context.setLineDash(mark.isStale ? [3, 2.5] : [])
    context.strokeStyle = color
    context.lineWidth = 1.5
    if (mark.position === 0) {
      context.beginPath()
      context.moveTo(place.x, place.y)
      context.lineTo(x, y)
      context.stroke()
    }
    if (mark.isSelected) ring(context, { x, y }, theme.selection)
    context.beginPath()
    outline(context, mark.severity, { x, y })
    context.fillStyle = mark.isStale ? theme.paper : color
    context.fill()
    context.stroke()
    context.setLineDash([])
    context.strokeStyle = mark.isStale ? color : theme.paper
    context.lineWidth = 2
    context.beginPath()
    letter(context, mark.severity, { x, y })
    context.stroke()
  }
}

function ring(context: CanvasRenderingContext2D, { x, y }: Place, color: string): void {
  const { strokeStyle } = context
  context.setLineDash([])
  context.strokeStyle = color
  context.lineWidth = 3
  context.beginPath()
  context.arc(x, y, SIZE + 4, 0, 2 * Math.PI)
  context.stroke()
  context.strokeStyle = strokeStyle
  context.lineWidth = 1.5
}

function outline(context: CanvasRenderingContext2D, severity: Mark['severity'], { x, y }: Place): void {
  if (severity === 'error') return context.arc(x, y, SIZE, 0, 2 * Math.PI)
  context.moveTo(x, y - SIZE - 1)
  context.lineTo(x + SIZE + 1, y + SIZE - 1)
  context.lineTo(x - SIZE - 1, y + SIZE - 1)
  context.closePath()
  return undefined
}

function letter(context: CanvasRenderingContext2D, severity: Mark['severity'], { x, y }: Place): void {
  if (severity === 'error') {
    context.moveTo(x - 3.5, y - 3.5)
    context.lineTo(x + 3.5, y + 3.5)
    context.moveTo(x + 3.5, y - 3.5)
    context.lineTo(x - 3.5, y + 3.5)
  } else {
    context.moveTo(x, y - 4)
    context.lineTo(x, y + 2)
    context.moveTo(x, y + 5)
    context.lineTo(x, y + 5.5)
  }
}
