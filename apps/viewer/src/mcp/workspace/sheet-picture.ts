import { crc32, deflateSync } from 'node:zlib'

/** What KiCad draws a sheet with is this little; models take pictures of pixels, and KiCad makes none of a sheet. */
const ELEMENT = /<(\/?)(g|path|rect|circle|line)\b([^>]*?)(\/?)>/g
const COMMAND = /([A-Z])([^A-Z]*)/g
/** Of a file that says more than any sheet. */
const MOST_ELEMENTS = 1_000_000
const MOST_POINTS = 4_000_000
const FILL = /(?:^|[;\s])fill:\s*(none|#[0-9A-Fa-f]{6})/
const STROKE = /(?:^|[;\s])stroke:\s*(none|#[0-9A-Fa-f]{6})/
const PAPER = [255, 255, 255] as const
const ARC_STEPS = 24

interface Style {
  readonly fill: Color | undefined
  readonly stroke: Color | undefined
  readonly width: number
}
type Color = readonly [red: number, green: number, blue: number]
type Point = readonly [x: number, y: number]

/** A sheet as KiCad's SVG has it, as PNG of this width or less; `undefined` when it is no such SVG. */
export function drawSheet(svg: string, width: number): Buffer | undefined {
  const box = /viewBox="([\d.\s-]{7,80})"/.exec(svg)?.[1]?.trim().split(/\s+/).map(Number)
  const [left = 0, top = 0, wide = 0, high = 0] = box ?? []
  if (!(wide > 0 && high > 0 && wide < 5_000 && high < 5_000)) return undefined
  const scale = width / Math.max(wide, high)
  const canvas = createCanvas(Math.ceil(wide * scale), Math.ceil(high * scale))
  const at = ([x, y]: Point): Point => [(x - left) * scale, (y - top) * scale]
  const open: Style[] = [{ fill: undefined, stroke: undefined, width: 0 }]
  let [elements, points] = [0, 0]
  for (const [, isEnd, name, attributes = '', isEmpty] of svg.matchAll(ELEMENT)) {
    elements += 1
    if (elements > MOST_ELEMENTS || points > MOST_POINTS) break
    const outer = open.at(-1) ?? { fill: undefined, stroke: undefined, width: 0 }
    if (name === 'g') {
      if (isEnd !== '') open.splice(Math.max(1, open.length - 1))
      else if (isEmpty === '') open.push(styleOf(attributes, outer))
      continue
    }
    const style = styleOf(attributes, outer)
    for (const { line, isClosed } of shapeOf(name ?? '', attributes)) {
      points += line.length
      const drawn = line.map((point) => at(point))
      if (style.fill !== undefined) canvas.fill(drawn, style.fill)
      if (style.stroke === undefined) continue
      const ends = isClosed && drawn[0] !== undefined ? [...drawn, drawn[0]] : drawn
      canvas.stroke(ends, Math.max(1, style.width * scale), style.stroke)
    }
  }
  return canvas.png()
}

function styleOf(attributes: string, outer: Style): Style {
  const style = /style="([^"]*)"/.exec(attributes)?.[1]
  if (style === undefined) return outer
  const color = (name: RegExp, before: Color | undefined) => {
    const value = name.exec(style)?.[1]
    if (value === undefined) return before
    return value === 'none' ? undefined : colorOf(value)
  }
  const width = /stroke-width:\s*([\d.]{1,20})/.exec(style)?.[1]
  return {
    fill: color(FILL, outer.fill),
    stroke: color(STROKE, outer.stroke),
    width: width === undefined ? outer.width : Number(width),
  }
}

const colorOf = (hex: string): Color => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

interface Shape {
  readonly line: readonly Point[]
  readonly isClosed: boolean
}

function shapeOf(name: string, attributes: string): Shape[] {
  const number = (key: string) =>
    Number(new RegExp(`\\s${key}="(-?[\\d.]{1,20})"`).exec(attributes)?.[1] ?? 0)
  if (name === 'path') return pathOf(/\sd="([^"]*)"/.exec(attributes)?.[1] ?? '')
  if (name === 'line') {
    const line: Point[] = [
      [number('x1'), number('y1')],
      [number('x2'), number('y2')],
    ]
    return [{ line, isClosed: false }]
  }
  if (name === 'circle') return [{ line: circleOf(number('cx'), number('cy'), number('r')), isClosed: true }]
  const [x, y, wide, high] = [number('x'), number('y'), number('width'), number('height')]
  const line: Point[] = [
    [x, y],
    [x + wide, y],
    [x + wide, y + high],
    [x, y + high],
  ]
  return [{ line, isClosed: true }]
}

function circleOf(x: number, y: number, radius: number): Point[] {
  return Array.from({ length: 2 * ARC_STEPS }, (_, step): Point => {
    const angle = (step * Math.PI) / ARC_STEPS
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}

function pathOf(data: string): Shape[] {
  const shapes: { line: Point[]; isClosed: boolean }[] = []
  for (const [, command, rest = ''] of data.matchAll(COMMAND)) {
    const numbers = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
    const last = shapes.at(-1)
    if (command === 'M') shapes.push({ line: pairsOf(numbers), isClosed: false })
    else if (last === undefined) continue
    else if (command === 'Z') last.isClosed = true
    else if (command === 'L') last.line.push(...pairsOf(numbers))
    else if (command === 'A') last.line.push(...arcOf(last.line.at(-1), numbers))
    else if (command === 'C') last.line.push(...bezierOf(last.line.at(-1), numbers))
  }
  return shapes
}

function pairsOf(numbers: readonly number[]): Point[] {
  const pairs: Point[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) pairs.push([numbers[at] ?? 0, numbers[at + 1] ?? 0])
  return pairs
}

/** Of a circle: KiCad draws no other. */
function arcOf(from: Point | undefined, numbers: readonly number[]): Point[] {
  const [given = 0, , , isLarge = 0, isSweep = 0, x = 0, y = 0] = numbers
  if (from === undefined) return []
  const [dx, dy] = [(x - from[0]) / 2, (y - from[1]) / 2]
  const half = Math.hypot(dx, dy)
  if (half === 0) return [[x, y]]
  const radius = Math.max(given, half)
  const away = Math.sqrt(Math.max(0, radius * radius - half * half)) / half
  const side = isLarge === isSweep ? -away : away
  const [cx, cy] = [from[0] + dx - side * dy, from[1] + dy + side * dx]
  const begin = Math.atan2(from[1] - cy, from[0] - cx)
  let turn = Math.atan2(y - cy, x - cx) - begin
  if (isSweep === 1 && turn < 0) turn += 2 * Math.PI
  if (isSweep === 0 && turn > 0) turn -= 2 * Math.PI
  return Array.from({ length: ARC_STEPS }, (_, step): Point => {
    const angle = begin + (turn * (step + 1)) / ARC_STEPS
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]
  })
}

function bezierOf(from: Point | undefined, numbers: readonly number[]): Point[] {
  const [one, other, to] = pairsOf(numbers)
  if (from === undefined || one === undefined || other === undefined || to === undefined) return []
  return Array.from({ length: ARC_STEPS }, (_, step): Point => {
    const t = (step + 1) / ARC_STEPS
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
    return [
      a * from[0] + b * one[0] + c * other[0] + d * to[0],
      a * from[1] + b * one[1] + c * other[1] + d * to[1],
    ]
  })
}

function createCanvas(width: number, height: number) {
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) pixels.set(PAPER, at)
  const mix = (x: number, y: number, [red, green, blue]: Color, share: number) => {
    const at = (y * width + x) * 3
    const keep = 1 - share
    pixels[at] = (pixels[at] ?? 0) * keep + red * share
    pixels[at + 1] = (pixels[at + 1] ?? 0) * keep + green * share
    pixels[at + 2] = (pixels[at + 2] ?? 0) * keep + blue * share
  }
  return {
    /** Each pixel as much as the line covers it, by its distance from the middle. */
    stroke(line: readonly Point[], wide: number, color: Color) {
      for (const [index, [ax, ay]] of line.entries()) {
        const [bx, by] = line[index + 1] ?? (line.length === 1 ? [ax, ay] : [Number.NaN, 0])
        if (Number.isNaN(bx)) break
        const reach = wide / 2 + 1
        const [left, right] = [clamp(Math.min(ax, bx) - reach, width), clamp(Math.max(ax, bx) + reach, width)]
        const [top, bottom] = [
          clamp(Math.min(ay, by) - reach, height),
          clamp(Math.max(ay, by) + reach, height),
        ]
        const [dx, dy] = [bx - ax, by - ay]
        const square = dx * dx + dy * dy
        for (let y = top; y < bottom; y += 1)
          for (let x = left; x < right; x += 1) {
            const px = x + 0.5 - ax
            const py = y + 0.5 - ay
            const along = square === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / square))
            const share = wide / 2 + 0.5 - Math.sqrt((px - along * dx) ** 2 + (py - along * dy) ** 2)
            if (share > 0) mix(x, y, color, Math.min(1, share))
          }
      }
    },
    /** Where a line from outside has crossed the border an odd number of times. */
    fill(corners: readonly Point[], color: Color) {
      if (corners.length < 3) return
      const ys = corners.map(([, y]) => y)
      const bottom = clamp(Math.max(...ys.slice(0, 10_000)) + 1, height)
      for (let y = clamp(Math.min(...ys.slice(0, 10_000)) - 1, height); y < bottom; y += 1) {
        const crossings: number[] = []
        for (const [index, [ax, ay]] of corners.entries()) {
          const [bx, by] = corners[(index + 1) % corners.length] ?? [ax, ay]
          if (ay <= y + 0.5 === by <= y + 0.5) continue
          crossings.push(ax + ((y + 0.5 - ay) / (by - ay)) * (bx - ax))
        }
        crossings.sort((one, other) => one - other)
        for (let index = 0; index + 1 < crossings.length; index += 2)
          for (
            let x = clamp((crossings[index] ?? 0) + 0.5, width);
            x < clamp((crossings[index + 1] ?? 0) + 0.5, width);
            x += 1
          )
            mix(x, y, color, 1)
      }
    },
    png: () => encodePng(pixels, width, height),
  }
}

const clamp = (value: number, most: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(0, Math.floor(value))) : 0

function encodePng(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y += 1)
    rows.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}
