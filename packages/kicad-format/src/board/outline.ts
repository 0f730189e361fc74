import { BOARD_LIMITS, type BoardArea, type Points } from './board.ts'
import type { Drawn } from './paths.ts'

/** Ends that are nearer than this meet, in nanometers: KiCad takes them so as well. */
const NEAR = 10_000

/** The closed shapes of which pieces are a part, each with what is cut out of it. Pieces that close nothing are left out. */
export function areasOf(pieces: readonly Drawn[]): BoardArea[] {
  const few = pieces.slice(0, BOARD_LIMITS.edgePieces)
  const closed = few.filter(({ isClosed }) => isClosed).map(({ points }) => Float64Array.from(points))
  const open = few.filter(({ isClosed }) => !isClosed).map(({ points }) => points)
  return nested([...closed, ...joined(open)].filter((points) => points.length >= 6))
}

/** Lines whose ends meet, one after the other, as far as they come back to where they began. */
function joined(lines: readonly (readonly number[])[]): Points[] {
  const ends = new Map<string, number[]>()
  const cell = (value: number) => Math.round(value / NEAR)
  for (const [at, line] of lines.entries()) {
    for (const [x = 0, y = 0] of [line.slice(0, 2), line.slice(-2)]) {
      const key = `${cell(x)} ${cell(y)}`
      const there = ends.get(key)
      if (there === undefined) ends.set(key, [at])
      else there.push(at)
    }
  }
  const used = new Set<number>()
  /** A line that begins or ends here, and was not used. */
  const nextFrom = (x: number, y: number): number | undefined => {
    for (const dx of [0, -1, 1])
      for (const dy of [0, -1, 1])
        for (const at of ends.get(`${cell(x) + dx} ${cell(y) + dy}`) ?? [])
          if (!used.has(at) && (isNear(lines[at] ?? [], x, y) || isNear(reversed(lines[at] ?? []), x, y)))
            return at
    return undefined
  }
  const found: Points[] = []
  for (const [first, line] of lines.entries()) {
    if (used.has(first)) continue
    used.add(first)
    const points = [...line]
    const [startX = 0, startY = 0] = line
    for (let count = 0; count < lines.length; count += 1) {
      const [x = 0, y = 0] = points.slice(-2)
      if (points.length > 4 && Math.hypot(x - startX, y - startY) <= NEAR) break
      const next = nextFrom(x, y)
      if (next === undefined) break
      used.add(next)
      const piece = lines[next] ?? []
      const onward = isNear(piece, x, y) ? piece : reversed(piece)
      for (const value of onward.slice(2)) points.push(value)
    }
    const [endX = 0, endY = 0] = points.slice(-2)
    if (points.length > 6 && Math.hypot(endX - startX, endY - startY) <= NEAR)
      found.push(Float64Array.from(points.slice(0, -2)))
  }
  return found
}

const isNear = ([px = 0, py = 0]: readonly number[], x: number, y: number) =>
  Math.hypot(px - x, py - y) <= NEAR

function reversed(line: readonly number[]): number[] {
  const back: number[] = []
  for (let at = line.length - 2; at >= 0; at -= 2) back.push(line[at] ?? 0, line[at + 1] ?? 0)
  return back
}

export function signedArea(points: Points): number {
  let area = 0
  for (let at = 0, before = points.length - 2; at < points.length; before = at, at += 2)
    area += (points[before] ?? 0) * (points[at + 1] ?? 0) - (points[at] ?? 0) * (points[before + 1] ?? 0)
  return area / 2
}

/** Whether a place is inside, however its corners go around. */
export function isInside(points: Points, x: number, y: number): boolean {
  let isIn = false
  for (let at = 0, before = points.length - 2; at < points.length; before = at, at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [points[at], points[at + 1], points[before], points[before + 1]]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn
  }
  return isIn
}

/** What lies in an odd number of others is cut out of the smallest of them. */
function nested(contours: readonly Points[]): BoardArea[] {
  const bySize = contours
    .map((points) => ({ points, size: Math.abs(signedArea(points)) }))
    .toSorted((one, other) => other.size - one.size)
  const areas: { outer: Points; holes: Points[] }[] = []
  const levels: { readonly points: Points; readonly level: number; readonly area: number }[] = []
  for (const { points } of bySize) {
    const [x = 0, y = 0] = points
    const around = levels.findLast((one) => isInside(one.points, x, y))
    const level = (around?.level ?? -1) + 1
    if (level % 2 === 0) areas.push({ outer: points, holes: [] })
    else areas[around?.area ?? 0]?.holes.push(points)
    levels.push({ points, level, area: level % 2 === 0 ? areas.length - 1 : (around?.area ?? 0) })
  }
  return areas
}
