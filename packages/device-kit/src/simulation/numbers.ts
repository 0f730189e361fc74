/** Of a seeded generator: from 0 up to 1. */
export type Random = () => number

/** Mulberry32: small, and the same in every engine. */
export function generator(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A seed of its own for each `part`. */
export function mix(seed: number, part: number): number {
  return Math.imul((seed >>> 0) ^ Math.imul(part + 1, 0x9e3779b1), 0x85ebca6b) >>> 0
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Toward `target`, by `most` at most. */
export function slew(value: number, target: number, most: number): number {
  return value + clamp(target - value, -most, most)
}

/** Toward `target` as a first-order lag does; no step is so long that it passes it. */
export function approach(value: number, target: number, timeConstant: number, dt: number): number {
  return value + (target - value) * (1 - Math.exp(-dt / timeConstant))
}

/** An angle in degrees, from -180 up to 180. */
export function wrapAngle(degrees: number): number {
  return degrees - 360 * Math.floor((degrees + 180) / 360)
}

export const radians = (degrees: number) => (degrees * Math.PI) / 180
export const degrees = (rad: number) => (rad * 180) / Math.PI

export interface Wander {
  readonly around: number
  /** Never farther away than four times this. */
  readonly spread: number
  readonly timeConstant: number
}

/** Drifts around a value and comes back to it. */
export function wander(
  value: number,
  { around, spread, timeConstant }: Wander,
  dt: number,
  random: Random,
): number {
  const kick = spread * Math.sqrt((2 * dt) / timeConstant) * (random() * 2 - 1) * Math.sqrt(3)
  return clamp(approach(value, around, timeConstant, dt) + kick, around - 4 * spread, around + 4 * spread)
}
