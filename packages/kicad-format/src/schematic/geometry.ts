import type { Point } from '../tree/value.ts'
import type { LibraryPin, LibrarySymbol, MirrorAxis, PlacedSymbol } from './items.ts'
import { unitsOf } from './library.ts'

/** A quarter turn or a reflection: rows of a matrix. All numbers are -1, 0 or 1, so that nothing is ever rounded. */
export interface Turn {
  readonly xx: number
  readonly xy: number
  readonly yx: number
  readonly yy: number
}

/** Counterclockwise on a sheet, whose y goes down. */
const QUARTERS: readonly Turn[] = [
  { xx: 1, xy: 0, yx: 0, yy: 1 },
  { xx: 0, xy: 1, yx: -1, yy: 0 },
  { xx: -1, xy: 0, yx: 0, yy: -1 },
  { xx: 0, xy: -1, yx: 1, yy: 0 },
]
const IDENTITY: Turn = { xx: 1, xy: 0, yx: 0, yy: 1 }
const REFLECTIONS: Readonly<Record<MirrorAxis, Turn>> = {
  x: { xx: 1, xy: 0, yx: 0, yy: -1 },
  y: { xx: -1, xy: 0, yx: 0, yy: 1 },
}

export function quarterTurn(angle: number): Turn {
  return QUARTERS[(((Math.round(angle / 90) % 4) + 4) % 4) as 0] ?? IDENTITY
}

export function reflection(axis: MirrorAxis): Turn {
  return REFLECTIONS[axis]
}

/** First `one`, then `other`. */
export function combine(one: Turn, other: Turn): Turn {
  return {
    xx: other.xx * one.xx + other.xy * one.yx + 0,
    xy: other.xx * one.xy + other.xy * one.yy + 0,
    yx: other.yx * one.xx + other.yy * one.yx + 0,
    yy: other.yx * one.xy + other.yy * one.yy + 0,
  }
}

export function turn({ x, y }: Point, { xx, xy, yx, yy }: Turn): Point {
  return { x: xx * x + xy * y + 0, y: yx * x + yy * y + 0 }
}

export function turnAbout(point: Point, center: Point, by: Turn): Point {
  return add(turn(subtract(point, center), by), center)
}

export function add(one: Point, other: Point): Point {
  return { x: one.x + other.x, y: one.y + other.y }
}

function subtract(one: Point, other: Point): Point {
  return { x: one.x - other.x, y: one.y - other.y }
}

export function keyOf({ x, y }: Point): string {
  return `${x} ${y}`
}

/** Whether a point is on a line from one place to another, ends included. */
export function isOnLine(point: Point, from: Point, to: Point): boolean {
  const along = subtract(to, from)
  const away = subtract(point, from)
  const isBetween =
    Math.min(from.x, to.x) <= point.x &&
    point.x <= Math.max(from.x, to.x) &&
    Math.min(from.y, to.y) <= point.y &&
    point.y <= Math.max(from.y, to.y)
  if (!isBetween) return false
  // Products of nanometers are larger than what a number holds exactly.
  return (
    along.x === 0 || along.y === 0 || BigInt(along.x) * BigInt(away.y) === BigInt(along.y) * BigInt(away.x)
  )
}

/** How a symbol is turned: KiCad rotates it first and mirrors it then. */
export function turnOf({ angle, mirror }: Pick<PlacedSymbol, 'angle' | 'mirror'>): Turn {
  const rotated = quarterTurn(angle)
  return mirror === undefined ? rotated : combine(rotated, reflection(mirror))
}

/** The angle and mirror axis with which a symbol is turned like this, as KiCad writes them. */
export function placementOf(wanted: Turn): {
  readonly angle: number
  readonly mirror: MirrorAxis | undefined
} {
  for (const mirror of [undefined, 'x', 'y'] as const)
    for (const angle of [0, 90, 180, 270]) {
      const { xx, xy, yx, yy } = turnOf({ angle, mirror })
      if (xx === wanted.xx && xy === wanted.xy && yx === wanted.yx && yy === wanted.yy)
        return { angle, mirror }
    }
  return { angle: 0, mirror: undefined }
}

/** Where something of a symbol's definition is on the sheet. */
export function placeOf(symbol: Pick<PlacedSymbol, 'at' | 'angle' | 'mirror'>, { x, y }: Point): Point {
  return add(symbol.at, turn({ x, y: -y + 0 }, turnOf(symbol)))
}

export interface PinOnSheet {
  readonly pin: LibraryPin
  readonly at: Point
}

/** The pins that a symbol has on its sheet, and where they are. */
export function pinsOf(symbol: PlacedSymbol, definition: LibrarySymbol): PinOnSheet[] {
  return unitsOf(definition, symbol.unit, symbol.bodyStyle)
    .flatMap(({ pins }) => pins)
    .map((pin) => ({ pin, at: placeOf(symbol, pin.at) }))
}
