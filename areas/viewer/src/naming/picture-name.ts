import type { Size } from '../ports.ts'

/** A few thousand pixels of a picture, red, green and blue of each in turn. */
export interface Sample extends Size {
  readonly pixels: Uint8Array
}

/** Below these longest sides, in pixels. A screen of a laptop is medium, one in 4K is large. */
const SIZE_CLASSES = [
  [64, 'tiny'],
  [640, 'small'],
  [2_000, 'medium'],
] as const

/** Colors are counted in steps of this many of the 256 levels: what a camera or an encoder adds is less. */
const STEP = 16
/** A drawing or a window has few colors, even with the smooth edges of its letters. */
const MOST_OF_GRAPHIC = 64
/** A photo has no color that fills a fifth of it. */
const LEAST_OF_GROUND = 0.2

/** A name of what is certain of a picture: its size class, its main color and its kind. */
export function nameOfSample({ width, height, pixels }: Sample): string {
  const counts = new Map<number, number>()
  for (let place = 0; place + 2 < pixels.length; place += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(place, place + 3)
    const color = (step(red) << 8) | (step(green) << 4) | step(blue)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const [main, most] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])
  const kind = kindOf(counts.size, most / (pixels.length / 3))
  return `${sizeClassOf({ width, height })}-${colorNameOf(main)}-${kind}`
}

function step(level: number): number {
  return Math.floor(level / STEP)
}

function kindOf(colors: number, mainShare: number): string {
  if (colors <= 1) return 'blank-picture'
  if (colors <= MOST_OF_GRAPHIC) return 'graphic'
  return mainShare < LEAST_OF_GROUND ? 'photo' : 'picture'
}

function sizeClassOf({ width, height }: Size): string {
  const longest = Math.max(width, height)
  return SIZE_CLASSES.find(([below]) => longest < below)?.[1] ?? 'large'
}

/** From which hue on, in degrees, a color has its name. */
const HUES = [
  [345, 'red'],
  [290, 'pink'],
  [255, 'purple'],
  [195, 'blue'],
  [165, 'cyan'],
  [75, 'green'],
  [45, 'yellow'],
  [15, 'orange'],
  [0, 'red'],
] as const

function colorNameOf(color: number): string {
  const [red, green, blue] = [color >> 8, (color >> 4) & 15, color & 15].map((each) => each / 15) as [
    number,
    number,
    number,
  ]
  const most = Math.max(red, green, blue)
  const least = Math.min(red, green, blue)
  const spread = most - least
  if (most < 0.15) return 'black'
  if (spread < 0.15) return least > 0.85 ? 'white' : 'gray'
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread
  const hue = (sixth * 60 + 360) % 360
  const name = HUES.find(([from]) => hue >= from)?.[1] ?? 'red'
  return name === 'orange' && most < 0.65 ? 'brown' : name
}
