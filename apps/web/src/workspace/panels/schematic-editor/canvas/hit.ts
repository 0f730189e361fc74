import { type Box, contains, type Drawn, overlap, type Place, type Shape } from '../drawing/shapes.ts'

/** How far a point is from a shape, in millimeters. */
function distanceTo(shape: Shape, at: Place): number {
  switch (shape.kind) {
    case 'line': {
      const { points, isClosed = false } = shape
      const all = isClosed && points[0] !== undefined ? [...points, points[0]] : points
      return distanceToLine(all, at)
    }
    case 'bezier':
      return distanceToLine(shape.points, at)
    case 'strokes':
      return Math.min(...shape.lines.map((line) => distanceToLine(line, at)))
    case 'circle':
    case 'arc': {
      const away = Math.hypot(at.x - shape.center.x, at.y - shape.center.y)
      return shape.fill === undefined ? Math.abs(away - shape.radius) : Math.max(0, away - shape.radius)
    }
    case 'picture':
      return isIn(shape.box, at) ? 0 : Number.POSITIVE_INFINITY
    default:
      shape satisfies never
      return Number.POSITIVE_INFINITY
  }
}

function distanceToLine(points: readonly Place[], at: Place): number {
  let least = Number.POSITIVE_INFINITY
  for (const [index, to] of points.entries()) {
    const from = points[index - 1] ?? to
    const [dx, dy] = [to.x - from.x, to.y - from.y]
    const length = dx * dx + dy * dy
    const along =
      length === 0 ? 0 : Math.min(1, Math.max(0, ((at.x - from.x) * dx + (at.y - from.y) * dy) / length))
    least = Math.min(least, Math.hypot(at.x - from.x - along * dx, at.y - from.y - along * dy))
  }
  return least
}

const isIn = ({ left, top, right, bottom }: Box, { x, y }: Place) =>
  left <= x && x <= right && top <= y && y <= bottom
const areaOf = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top)

/** What is under a point: the nearest line within reach, or the smallest thing that is around it. */
export function hitAt(list: readonly Drawn[], at: Place, reach: number): Drawn | undefined {
  const around = { left: at.x - reach, top: at.y - reach, right: at.x + reach, bottom: at.y + reach }
  let nearest: Drawn | undefined
  let least = reach
  const inside: Drawn[] = []
  for (const one of list) {
    if (one.id === '' || !overlap(one.box, around)) continue
    const distance = Math.min(...one.shapes.map((shape) => distanceTo(shape, at)))
    if (distance <= least) {
      nearest = one
      least = distance
    }
    if (isIn(one.box, at)) inside.push(one)
  }
  return nearest ?? inside.toSorted((one, other) => areaOf(one.box) - areaOf(other.box))[0]
}

/** From the left to the right all that is inside of a box, from the right to the left all that it touches. */
export function hitIn(list: readonly Drawn[], from: Place, to: Place): string[] {
  const box = {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  }
  const isIncluded = (one: Drawn) => (from.x <= to.x ? contains(box, one.box) : overlap(one.box, box))
  return list.filter((one) => one.id !== '' && isIncluded(one)).map(({ id }) => id)
}
