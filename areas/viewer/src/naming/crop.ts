import type { Size } from '../ports.ts'

/** What one reading may cost: about this many pixels, some seconds, some hundred megabytes. */
const READ_PIXELS = 3_000_000
/** Below this a picture is a cut-out already. */
const WHOLE_PIXELS = 1_000_000
const LARGEST_SCALE = 3
/** The engine refuses sides above 32,767. */
const LONGEST_SIDE = 8_000
const LEAST_SIDE = 12

export interface Crop {
  /** The upper part that is looked at, in pixels of the original. */
  readonly width: number
  readonly height: number
  /** What it is brought to, so that small letters are large enough to be read. */
  readonly scaled: Size
}

/** The part of a picture where titles and headings are. Undefined where no letter would fit. */
export function cropFor({ width, height }: Size): Crop | undefined {
  if (width < LEAST_SIDE || height < LEAST_SIDE) return undefined
  const kept =
    width * height <= WHOLE_PIXELS
      ? height
      : Math.min(Math.ceil((height * 2) / 3), Math.max(width, LEAST_SIDE))
  const scale = Math.min(
    LARGEST_SCALE,
    Math.sqrt(READ_PIXELS / (width * kept)),
    LONGEST_SIDE / width,
    LONGEST_SIDE / kept,
  )
  const scaled = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(kept * scale)),
  }
  return { width, height: kept, scaled }
}
