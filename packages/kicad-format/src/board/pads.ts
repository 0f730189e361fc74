import type { List } from '../tree/node.ts'
import { angleOf, childOf, lengthOf, numberOf, type Point, pointOf, textIn, valuesOf } from '../tree/value.ts'
import type { BoardHole, BoardPad, BoardPath } from './board.ts'
import {
  boxPoints,
  circlePoints,
  drawnIn,
  isFilledIn,
  type Placement,
  placed,
  placedPoints,
  pushArc,
  widthIn,
} from './paths.ts'

export interface PadSurroundings {
  /** Where its footprint is. */
  readonly footprint: Placement
  readonly layersOf: (names: readonly string[]) => readonly string[]
  readonly netOf: (list: List | undefined) => number
}

export function readPad(node: List, { footprint, layersOf, netOf }: PadSurroundings): BoardPad | undefined {
  const [number = '', kind = '', shape = ''] = valuesOf(node)
  const place = childOf(node, 'at')
  const local = pointOf(place)
  const size = pointOf(childOf(node, 'size'))
  if (local === undefined || size === undefined) return undefined
  const at = placed(local, footprint)
  // In a file the angle of a pad has that of its footprint in it.
  const angle = angleOf(place)
  const drill = childOf(node, 'drill')
  const offset = pointOf(childOf(drill, 'offset')) ?? { x: 0, y: 0 }
  const toBoard = { at, angle }
  const areas = shapesOf(node, shape, size).map(
    (path): BoardPath => ({
      ...path,
      points: placedPoints(
        path.points.map((value, index) => value + (index % 2 === 0 ? offset.x : offset.y)),
        toBoard,
      ),
    }),
  )
  return {
    number,
    kind,
    shape,
    at,
    size,
    angle,
    layers: layersOf(valuesOf(childOf(node, 'layers'))),
    net: netOf(childOf(node, 'net')),
    pin: textIn(node, 'pinfunction') ?? '',
    hole: holeOf(drill, toBoard, kind !== 'np_thru_hole'),
    areas,
  }
}

function holeOf(drill: List | undefined, { at, angle }: Placement, isPlated: boolean): BoardHole | undefined {
  const sizes = valuesOf(drill).flatMap((value) => lengthOf(value) ?? [])
  const [width = 0, height = width] = sizes
  return width > 0 && height > 0 ? { at, width, height, angle, isPlated } : undefined
}

interface LocalPath extends Omit<BoardPath, 'points'> {
  readonly points: readonly number[]
}

const area = (points: readonly number[]): LocalPath => ({ points, isClosed: true, isFilled: true, width: 0 })
const MIDDLE = { x: 0, y: 0 }

function shapesOf(node: List, shape: string, size: Point): LocalPath[] {
  const { x: width, y: height } = size
  if (shape === 'circle') return [area(circlePoints(MIDDLE, width / 2))]
  if (shape === 'oval') return [area(roundedPoints(size, Math.min(width, height) / 2))]
  if (shape === 'roundrect') {
    const share = numberOf(textIn(node, 'roundrect_rratio')) ?? 0.25
    const short = Math.min(width, height)
    const chamfer = Math.min(0.5, Math.max(0, numberOf(textIn(node, 'chamfer_ratio')) ?? 0)) * short
    const cut = chamfer > 0 ? valuesOf(childOf(node, 'chamfer')) : []
    return [area(roundedPoints(size, Math.min(0.5, Math.max(0, share)) * short, { chamfer, cut }))]
  }
  if (shape === 'trapezoid') {
    const { x: dy, y: dx } = pointOf(childOf(node, 'rect_delta')) ?? MIDDLE
    const [w, h] = [width / 2, height / 2]
    return [
      area([
        -w - dx / 2,
        h + dy / 2,
        -w + dx / 2,
        -h - dy / 2,
        w - dx / 2,
        -h + dy / 2,
        w + dx / 2,
        h - dy / 2,
      ]),
    ]
  }
  if (shape === 'custom') {
    const anchor = textIn(childOf(node, 'options'), 'anchor')
    const first = anchor === 'rect' ? boxPoints(MIDDLE, width, height) : circlePoints(MIDDLE, width / 2)
    const drawn = childOf(node, 'primitives')?.children.flatMap((child) => {
      const found = child.kind === 'list' ? drawnIn(child) : undefined
      if (child.kind !== 'list' || found === undefined) return []
      const isFilled = found.isClosed && (isFilledIn(child) || child.head === 'gr_poly')
      return [{ ...found, isFilled, width: widthIn(child) }]
    })
    return [area(first), ...(drawn ?? [])]
  }
  return [area(boxPoints(MIDDLE, width, height))]
}

interface Corners {
  readonly chamfer: number
  /** Such as `top_left`. */
  readonly cut: readonly string[]
}

const QUARTER = Math.PI / 2

function roundedPoints(
  { x: width, y: height }: Point,
  radius: number,
  { chamfer, cut }: Corners = { chamfer: 0, cut: [] },
): number[] {
  const [w, h] = [width / 2, height / 2]
  const points: number[] = []
  // Clockwise as it is seen, from the lower right.
  const corners = [
    ['bottom_right', 1, 1, 0],
    ['bottom_left', -1, 1, QUARTER],
    ['top_left', -1, -1, 2 * QUARTER],
    ['top_right', 1, -1, 3 * QUARTER],
  ] as const
  for (const [name, right, down, from] of corners) {
    if (cut.includes(name)) {
      const side = [right * w, down * (h - chamfer)]
      const end = [right * (w - chamfer), down * h]
      points.push(...(right === down ? [...side, ...end] : [...end, ...side]))
    } else if (radius > 0)
      pushArc(points, { x: right * (w - radius), y: down * (h - radius) }, radius, [from, QUARTER])
    else points.push(right * w, down * h)
  }
  return points
}
