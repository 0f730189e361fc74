/** What an ear-cutting triangulation does at once: its time grows with the square of what is fractured by long bridges. */
const MOST_CORNERS = 300
const DEEPEST = 40

/**
 * Cuts a large area into pieces with few corners, each along the middle of what it covers. The copper of a zone is one
 * outline of a hundred thousand corners, with a bridge to each hole in it; whole, a large board took minutes.
 */
export function splitArea(points: readonly number[]): number[][] {
  const pieces: number[][] = []
  const open = [{ points: [...points], depth: 0 }]
  for (let piece = open.pop(); piece !== undefined; piece = open.pop()) {
    if (piece.points.length < 6) continue
    if (piece.points.length / 2 <= MOST_CORNERS || piece.depth >= DEEPEST) {
      pieces.push(piece.points)
      continue
    }
    const [axis, middle] = middleOf(piece.points)
    for (const isBelow of [true, false])
      open.push({ points: clipped(piece.points, axis, middle, isBelow), depth: piece.depth + 1 })
  }
  return pieces
}

function middleOf(points: readonly number[]): readonly [axis: 0 | 1, middle: number] {
  const low = [Infinity, Infinity]
  const high = [-Infinity, -Infinity]
  for (const [at, value] of points.entries()) {
    const axis = at % 2
    if (value < (low[axis] ?? 0)) low[axis] = value
    if (value > (high[axis] ?? 0)) high[axis] = value
  }
  const [left = 0, top = 0] = low
  const [right = 0, bottom = 0] = high
  return right - left >= bottom - top ? [0, (left + right) / 2] : [1, (top + bottom) / 2]
}

/** The part of an area on one side of a line. Pieces of it that hang together stay so along the line, without a width. */
function clipped(points: readonly number[], axis: 0 | 1, middle: number, isBelow: boolean): number[] {
  const kept: number[] = []
  const count = points.length / 2
  let [beforeX, beforeY] = [points[count * 2 - 2] ?? 0, points[count * 2 - 1] ?? 0]
  let wasIn = isIn(axis === 0 ? beforeX : beforeY, middle, isBelow)
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [points[at * 2] ?? 0, points[at * 2 + 1] ?? 0]
    const isNowIn = isIn(axis === 0 ? x : y, middle, isBelow)
    if (isNowIn !== wasIn) {
      // From the same end for both sides, so that they meet to the last bit.
      const isForward = axis === 0 ? beforeX < x : beforeY < y
      const [ax, ay, bx, by] = isForward ? [beforeX, beforeY, x, y] : [x, y, beforeX, beforeY]
      const share = axis === 0 ? (middle - ax) / (bx - ax) : (middle - ay) / (by - ay)
      if (axis === 0) kept.push(middle, ay + (by - ay) * share)
      else kept.push(ax + (bx - ax) * share, middle)
    }
    if (isNowIn) kept.push(x, y)
    ;[beforeX, beforeY, wasIn] = [x, y, isNowIn]
  }
  return kept
}

const isIn = (value: number, middle: number, isBelow: boolean) => (isBelow ? value <= middle : value > middle)
