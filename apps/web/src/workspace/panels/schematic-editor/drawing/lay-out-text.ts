import type { Place } from './shapes.ts'
import { glyphOf } from './stroke-font.ts'

export interface TextStyle {
  readonly width: number
  readonly height: number
  /** Of the pen. */
  readonly pen: number
  readonly isItalic: boolean
  readonly horizontal: 'left' | 'center' | 'right'
  readonly vertical: 'top' | 'center' | 'bottom'
}

/** Between base lines, in heights. */
const LINE_PITCH = 1.61
/** What KiCad takes for the height of the first line. */
const FIRST_LINE = 1.17
const OVERBAR = 1.23
const ITALIC_TILT = 1 / 8
const SMALL = 0.8
const LOWERED = 0.1
const RAISED = 0.35

interface Run {
  readonly text: string
  readonly level: 'normal' | 'raised' | 'lowered'
  readonly hasBar: boolean
}

/** `~{…}` is barred, `_{…}` lowered, `^{…}` raised. */
function readMarkup(text: string): Run[] {
  if (!/[~_^]\{/.test(text)) return [{ text, level: 'normal', hasBar: false }]
  const runs: Run[] = []
  const open: { mark: string; level: Run['level']; hasBar: boolean }[] = [
    { mark: '', level: 'normal', hasBar: false },
  ]
  let from = 0
  const flush = (to: number) => {
    const top = open.at(-1)
    if (to > from && top !== undefined)
      runs.push({ text: text.slice(from, to), level: top.level, hasBar: top.hasBar })
  }
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at)
    const top = open.at(-1)
    if (top !== undefined && '~_^'.includes(mark) && text[at + 1] === '{' && hasEnd(text, at + 2)) {
      flush(at)
      open.push({
        mark: `${depth}`,
        level: mark === '^' ? 'raised' : mark === '_' ? 'lowered' : top.level,
        hasBar: top.hasBar || mark === '~',
      })
      at += 1
      from = at + 1
    } else if (mark === '{') depth += 1
    else if (mark === '}' && open.length > 1 && open.at(-1)?.mark === `${depth}`) {
      flush(at)
      open.pop()
      from = at + 1
    } else if (mark === '}' && depth > 0) depth -= 1
  }
  flush(text.length)
  return runs
}

function hasEnd(text: string, from: number): boolean {
  return text.includes('}', from)
}

interface LaidLine {
  readonly lines: readonly (readonly Place[])[]
  readonly length: number
}

const laid = new Map<string, LaidLine>()
const MOST_LAID = 20_000

/** From the base line's left end. */
function layOutLine(text: string, width: number, height: number, isItalic: boolean): LaidLine {
  const key = `${width} ${height} ${isItalic ? 1 : 0} ${text}`
  const found = laid.get(key)
  if (found !== undefined) return found
  const lines: Place[][] = []
  let x = 0
  for (const { text: characters, level, hasBar } of readMarkup(text)) {
    const scale = level === 'normal' ? 1 : SMALL
    const [wide, high] = [width * scale, height * scale]
    const lift = level === 'raised' ? -RAISED * high : level === 'lowered' ? LOWERED * high : 0
    const start = x
    for (const character of characters) {
      const glyph = glyphOf(character)
      for (const line of glyph.lines)
        lines.push(
          line.map((place) => ({
            x: x + place.x * wide - (isItalic ? place.y * high * ITALIC_TILT : 0),
            y: lift + place.y * high,
          })),
        )
      x += glyph.advance * wide
    }
    if (hasBar) {
      const y = lift - OVERBAR * high
      const tilt = isItalic ? -y * ITALIC_TILT : 0
      // It does not touch that of the next word.
      const inset = wide * 0.1
      lines.push([
        { x: start + tilt + inset, y },
        { x: x + tilt - inset, y },
      ])
    }
  }
  if (laid.size > MOST_LAID) laid.clear()
  const line = { lines, length: x }
  laid.set(key, line)
  return line
}

/** A line end behind the last line makes no line. */
const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')

export function lengthOfText(text: string, { width, height, isItalic }: TextStyle): number {
  return Math.max(...linesOf(text).map((line) => layOutLine(line, width, height, isItalic).length))
}

export function heightOfText(text: string, { height }: TextStyle): number {
  return height * (FIRST_LINE + (linesOf(text).length - 1) * LINE_PITCH)
}

/** The strokes of a text, about its anchor, as if it were not turned. */
export function layOutText(text: string, style: TextStyle): Place[][] {
  const { width, height, pen, isItalic, horizontal, vertical } = style
  const all = linesOf(text).map((line) => layOutLine(line, width, height, isItalic))
  const whole = heightOfText(text, style)
  // Both are KiCad's own corrections.
  const right = pen / 1.52
  const down = height - pen * 0.052
  const top = vertical === 'top' ? 0 : vertical === 'center' ? whole / 2 : whole
  return all.flatMap(({ lines, length }, row) => {
    const left = horizontal === 'left' ? right : horizontal === 'center' ? -length / 2 : -length - right
    const y = down - top + row * height * LINE_PITCH
    return lines.map((line) => line.map((place) => ({ x: place.x + left, y: place.y + y })))
  })
}

/** Turned counterclockwise about the origin, by quarters or anything else, and moved there. */
export function putAt(
  lines: readonly (readonly Place[])[],
  at: Place,
  angle: number,
): readonly (readonly Place[])[] {
  const cos = angle === 90 ? 0 : angle === 0 ? 1 : Math.cos((angle * Math.PI) / 180)
  const sin = angle === 90 ? 1 : angle === 0 ? 0 : Math.sin((angle * Math.PI) / 180)
  return lines.map((line) =>
    line.map(({ x, y }) => ({ x: at.x + x * cos + y * sin, y: at.y - x * sin + y * cos })),
  )
}
