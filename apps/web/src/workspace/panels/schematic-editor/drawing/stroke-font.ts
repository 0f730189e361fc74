import type { Place } from './shapes.ts'
import { DIGITS, RUNS } from './stroke-font-data.ts'

/** In sizes of a text, from the base line's left end. */
export interface Glyph {
  readonly advance: number
  readonly lines: readonly (readonly Place[])[]
}

const UNITS = 21
const LEFT = 8
const BASE_LINE = 31
const SPACE: Glyph = { advance: 16 / UNITS, lines: [] }
/** In spaces. */
const TAB = 4

const glyphs = new Map<string, Glyph>()

/** How KiCad's font draws a character; a question mark for one that it does not know. */
export function glyphOf(character: string): Glyph {
  if (character === ' ' || character === '\u00a0') return SPACE
  if (character === '\t') return { advance: SPACE.advance * TAB, lines: [] }
  if (glyphs.size === 0) readGlyphs()
  return glyphs.get(character) ?? glyphs.get('?') ?? SPACE
}

function readGlyphs(): void {
  for (const [first, run] of RUNS)
    for (const [index, glyph] of run.split(' ').entries())
      glyphs.set(String.fromCodePoint(first + index), readGlyph(glyph))
}

function readGlyph(code: string): Glyph {
  const digit = (at: number, zero: number) => (DIGITS.indexOf(code.charAt(at)) - zero) / UNITS
  const lines: Place[][] = [[]]
  for (let at = 1; at < code.length; ) {
    if (code.charAt(at) === '.') {
      lines.push([])
      at += 1
      continue
    }
    lines.at(-1)?.push({ x: digit(at, LEFT), y: digit(at + 1, BASE_LINE) })
    at += 2
  }
  return { advance: digit(0, 0), lines: lines.filter(({ length }) => length > 0) }
}
