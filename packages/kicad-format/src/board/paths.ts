import { isList, type List } from '../tree/node.ts'
import { childOf, childrenOf, lengthOf, type Point, pointOf, valuesOf } from '../tree/value.ts'
import { writeNode } from '../tree/write.ts'
import { BOARD_LIMITS, type Points } from './board.ts'

/** How far the pieces of an arc may be from it, in nanometers. */
const TOLERANCE = 5_000

/** How a thing is laid on the board: turned, and then moved. */
export interface Placement {
  readonly at: Point
  /** In degrees, counterclockwise, while y goes down. */
  readonly angle: number
}

export const NOT_MOVED: Placement = { at: { x: 0, y: 0 }, angle: 0 }

export function placed({ x, y }: Point, { at, angle }: Placement): Point {
  if (angle === 0) return { x: at.x + x, y: at.y + y }
  const turn = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return { x: Math.round(at.x + x * cos + y * sin), y: Math.round(at.y - x * sin + y * cos) }
}

export function placedPoints(points: ArrayLike<number>, placement: Placement): Points {
  const moved = new Float64Array(points.length)
  for (let at = 0; at + 1 < points.length; at += 2) {
    const { x, y } = placed({ x: points[at] ?? 0, y: points[at + 1] ?? 0 }, placement)
    moved[at] = x
    moved[at + 1] = y
  }
  return moved
}

function stepsOf(radius: number, sweep: number): number {
  if (!(radius > TOLERANCE)) return 4
  const most = 2 * Math.acos(1 - TOLERANCE / radius)
  return Math.min(BOARD_LIMITS.arcPoints, Math.max(4, Math.ceil(Math.abs(sweep) / most)))
}

/** Without the first point, where `skipsFirst` says so. */
export function pushArc(
  points: number[],
  center: Point,
  radius: number,
  [from, sweep]: readonly [number, number],
  skipsFirst = false,
): void {
  const steps = stepsOf(radius, sweep)
  for (let step = skipsFirst ? 1 : 0; step <= steps; step += 1) {
    const angle = from + (sweep * step) / steps
    points.push(
      Math.round(center.x + radius * Math.cos(angle)),
      Math.round(center.y + radius * Math.sin(angle)),
    )
  }
}

/** The arc from one point to another through a third; a straight line where they are on one. */
function pushArcThrough(points: number[], start: Point, mid: Point, end: Point): void {
  const [ax, ay, bx, by] = [mid.x - start.x, mid.y - start.y, end.x - start.x, end.y - start.y]
  const cross = 2 * (ax * by - ay * bx)
  const [a, b] = [ax * ax + ay * ay, bx * bx + by * by]
  // Of arcs that are flatter than this the center is farther away than any board is wide.
  if (Math.abs(cross) * 1e4 <= Math.max(a, b)) {
    points.push(start.x, start.y, mid.x, mid.y, end.x, end.y)
    return
  }
  const center = { x: start.x + (by * a - ay * b) / cross, y: start.y + (ax * b - bx * a) / cross }
  const radius = Math.hypot(start.x - center.x, start.y - center.y)
  const angle = ({ x, y }: Point) => Math.atan2(y - center.y, x - center.x)
  const around = (to: number, isForward: boolean) => {
    const turn = (to - angle(start)) % (2 * Math.PI)
    if (isForward) return turn < 0 ? turn + 2 * Math.PI : turn
    return turn > 0 ? turn - 2 * Math.PI : turn
  }
  const isForward = around(angle(mid), true) < around(angle(end), true)
  points.push(start.x, start.y)
  pushArc(points, center, radius, [angle(start), around(angle(end), isForward)], true)
  // Where it is said to end: outlines are closed by that.
  points.splice(-2, 2, end.x, end.y)
}

function pushBezier(points: number[], [start, one, other, end]: readonly Point[]): void {
  if (start === undefined || one === undefined || other === undefined || end === undefined) return
  const steps = 32
  for (let step = 0; step <= steps; step += 1) {
    const [t, s] = [step / steps, 1 - step / steps]
    const along = (axis: 'x' | 'y') =>
      Math.round(
        s ** 3 * start[axis] + 3 * s * s * t * one[axis] + 3 * s * t * t * other[axis] + t ** 3 * end[axis],
      )
    points.push(along('x'), along('y'))
  }
}

export function circlePoints(center: Point, radius: number): number[] {
  const points: number[] = []
  pushArc(points, center, radius, [0, 2 * Math.PI])
  // The last is the first again.
  return points.slice(0, -2)
}

/** A box around a center. */
export function boxPoints({ x, y }: Point, width: number, height: number): number[] {
  const [w, h] = [width / 2, height / 2]
  return [x - w, y - h, x + w, y - h, x + w, y + h, x - w, y + h]
}

const PLAIN_POINT = /\(xy\s+([^\s()]+)\s+([^\s()]+)\s*\)/g

/** What `(pts …)` says. Areas have hundreds of thousands: no node is made for each. */
export function pointsIn(list: List | undefined): number[] | undefined {
  if (list === undefined) return undefined
  const text = writeNode(list)
  const points: number[] = []
  if (text.includes('(arc') || text.includes('#')) {
    for (const child of list.children) {
      if (isList(child, 'xy')) {
        const point = pointOf(child)
        if (point === undefined) return undefined
        points.push(point.x, point.y)
      } else if (isList(child, 'arc')) {
        const arc = arcIn(child)
        if (arc === undefined) return undefined
        for (const value of arc) points.push(value)
      }
    }
    return points
  }
  for (const [, x, y] of text.matchAll(PLAIN_POINT)) {
    const [left, top] = [lengthOf(x), lengthOf(y)]
    if (left === undefined || top === undefined) return undefined
    points.push(left, top)
  }
  return points
}

export function arcIn(list: List): number[] | undefined {
  const [start, mid, end] = ['start', 'mid', 'end'].map((head) => pointOf(childOf(list, head)))
  if (start === undefined || mid === undefined || end === undefined) return undefined
  const points: number[] = []
  pushArcThrough(points, start, mid, end)
  return points
}

export interface Drawn {
  readonly points: readonly number[]
  readonly isClosed: boolean
}

/** A line, box, circle, arc, polygon or curve, as boards, footprints and pads draw them. */
export function drawnIn(list: List): Drawn | undefined {
  const kind = list.head.slice(list.head.indexOf('_') + 1)
  const [start, end] = [pointOf(childOf(list, 'start')), pointOf(childOf(list, 'end'))]
  if (kind === 'line' && start !== undefined && end !== undefined)
    return { points: [start.x, start.y, end.x, end.y], isClosed: false }
  if (kind === 'rect' && start !== undefined && end !== undefined)
    return { points: [start.x, start.y, end.x, start.y, end.x, end.y, start.x, end.y], isClosed: true }
  if (kind === 'circle') {
    const center = pointOf(childOf(list, 'center'))
    if (center === undefined || end === undefined) return undefined
    return { points: circlePoints(center, Math.hypot(end.x - center.x, end.y - center.y)), isClosed: true }
  }
  const points =
    kind === 'arc'
      ? arcIn(list)
      : kind === 'poly'
        ? pointsIn(childOf(list, 'pts'))
        : kind === 'curve' || kind === 'bezier'
          ? curveIn(list)
          : undefined
  return points === undefined || points.length < 4 ? undefined : { points, isClosed: kind === 'poly' }
}

function curveIn(list: List): number[] {
  const corners = childrenOf(childOf(list, 'pts'), 'xy').flatMap((one) => pointOf(one) ?? [])
  const points: number[] = []
  pushBezier(points, corners)
  return points
}

/** Of the line; the word differs between the versions. */
export function widthIn(list: List): number {
  const given = valuesOf(childOf(childOf(list, 'stroke'), 'width') ?? childOf(list, 'width'))[0]
  return Math.max(0, lengthOf(given) ?? 0)
}

/** `(fill yes)` since KiCad 9, `(fill solid)` before. */
export function isFilledIn(list: List): boolean {
  const [fill] = valuesOf(childOf(list, 'fill'))
  return fill === 'yes' || fill === 'solid'
}
