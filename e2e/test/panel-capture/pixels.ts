import { PNG } from 'pngjs'

export type Color = readonly [number, number, number]

export const COLORS: readonly Color[] = [
  [255, 0, 0],
  [0, 170, 0],
  [0, 0, 255],
  [255, 204, 0],
  [128, 128, 128],
  [17, 34, 51],
  [250, 128, 200],
  [0, 180, 200],
]

export interface Picture {
  readonly width: number
  readonly height: number
  at(x: number, y: number): Color
  /** How many pixels are within 40 of a color in every channel. */
  count(color: Color): number
}

export function pictureOf(png: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(png)
  const pixel = (place: number): Color => [
    data[place * 4] ?? 0,
    data[place * 4 + 1] ?? 0,
    data[place * 4 + 2] ?? 0,
  ]
  return {
    width,
    height,
    at: (x, y) => pixel(Math.floor(y) * width + Math.floor(x)),
    count(color) {
      let found = 0
      for (let place = 0; place < width * height; place += 1) {
        if (distance(pixel(place), color) <= 40) found += 1
      }
      return found
    },
  }
}

/** The largest difference of a channel. */
export function distance(one: Color, other: Color): number {
  return Math.max(...one.map((channel, index) => Math.abs(channel - (other[index] ?? 999))))
}

/** Bars of all colors beside each other, from the top left of a page: each 30 by 100 pixels. */
export const BARS = `<div style="position:absolute;inset:0;background:#fff">${COLORS.map(
  (color, index) =>
    `<i style="position:absolute;top:0;left:${index * 30}px;width:30px;height:100px;background:rgb(${color})"></i>`,
).join('')}</div>`

/** How far the bars of a picture are from their colors, at worst, when the page begins at this place. */
export function worstBar(
  picture: Picture,
  { x, y }: { readonly x: number; readonly y: number },
  scale = 1,
): number {
  return Math.max(
    ...COLORS.map((color, index) =>
      distance(picture.at((x + index * 30 + 15) * scale, (y + 50) * scale), color),
    ),
  )
}
