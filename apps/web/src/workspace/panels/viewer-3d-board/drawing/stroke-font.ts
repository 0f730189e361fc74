import type { BoardText } from '@patchbay/kicad-format'

/**
 * Letters of straight strokes, drawn for boards: each pair of digits is a place, from the left and from the top. Letters
 * are six high and mostly four wide. It is near to what KiCad draws, and not the same.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  A: '062046 1434',
  B: '00063645443303 3342413000',
  C: '4130100105163645',
  D: '00062644422000',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301001051636454323',
  H: '0006 4046 0343',
  I: '0006',
  J: '3035261605',
  K: '0006 4003 1246',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '103041453616050110',
  P: '06003041423303',
  Q: '103041453616050110 2446',
  R: '06003041423303 2346',
  S: '413010010213334445361605',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
  0: '103041453616050110 1432',
  1: '112026 1636',
  2: '01103041420646',
  3: '01103041423323 334445361605',
  4: '36300444',
  5: '400002324345361605',
  6: '3020020516364544331304',
  7: '004016',
  8: '13020110304142331304051636454433',
  9: '1626444130100102133342',
  a: '12324346 441405163645',
  b: '0006 0312324345361605',
  c: '4332120305163645',
  d: '4046 4332120305163645',
  e: '04444332120305163645',
  f: '30201116 0232',
  g: '4247381807 4332120305163645',
  h: '0006 0312324346',
  i: '0206 0000',
  j: '121708 1010',
  k: '0006 3204 1336',
  l: '000516',
  m: '0206 03122326 23324346',
  n: '0206 0312324346',
  o: '123243453616050312',
  p: '0208 0312324345361605',
  q: '4248 4332120305163645',
  r: '0206 031232',
  s: '43321203143445361605',
  t: '10152636 0232',
  u: '0205163645 4246',
  v: '022642',
  w: '0216243642',
  x: '0246 4206',
  y: '0226 42261808',
  z: '02420646',
  ' ': '',
  '.': '0606',
  ',': '0607',
  ':': '0303 0606',
  ';': '0303 0607',
  '-': '0333',
  _: '0747',
  '+': '0343 2125',
  '=': '0242 0444',
  '/': '0640',
  '\\': '0046',
  '(': '20111526',
  ')': '00111506',
  '[': '20000626',
  ']': '00202606',
  '{': '20111203141526',
  '}': '00111223141506',
  '<': '410345',
  '>': '014305',
  '*': '2125 0244 4204',
  '#': '1016 3036 0242 0444',
  '%': '0640 0101 4545',
  '&': '46121120310405162644',
  '!': '0004 0606',
  '?': '01103041422324 2626',
  "'": '0001',
  '"': '0001 2021',
  '@': '453616050110304144343222132434',
  $: '413010010213334445361605 2026',
  '~': '03122443',
  '^': '022042',
  '|': '0008',
  '`': '0011',
  '°': '1021120110',
  µ: '0208 05163645 4246',
  μ: '0208 05163645 4246',
  Ω: '061614020110304142343646',
  '±': '0343 2125 0646',
}
/** For what is none of them. */
const OTHER = '0040460600'

const HEIGHT = 6
/** Of one place to the right, in shares of the width that a text says. */
const UNIT = 0.15
const SPACE = 3
const BETWEEN = 1.7
const LINE = 1.62
const LONGEST = 500

interface Glyph {
  readonly strokes: readonly (readonly number[])[]
  readonly width: number
}

const glyphs = new Map<string, Glyph>()

function glyphOf(letter: string): Glyph {
  const known = glyphs.get(letter)
  if (known !== undefined) return known
  const text = Object.hasOwn(GLYPHS, letter) ? (GLYPHS[letter] ?? OTHER) : OTHER
  const strokes = text
    .split(' ')
    .filter(Boolean)
    .map((stroke) => Array.from(stroke, Number))
  const right = Math.max(0, ...strokes.flatMap((stroke) => stroke.filter((_, at) => at % 2 === 0)))
  const glyph = { strokes, width: letter === ' ' ? SPACE : right }
  if (Object.hasOwn(GLYPHS, letter)) glyphs.set(letter, glyph)
  return glyph
}

/** The strokes of a text where it is on the board, in nanometers: x, y, x, y, … */
export function strokesOf(text: BoardText): number[][] {
  const { at, angle, height, width, horizontal, vertical, isMirrored, thickness } = text
  // `~{RESET}` has a line above it, which is left out.
  const lines = text.text
    .slice(0, LONGEST)
    .replaceAll(/~\{([^}]*)\}/g, '$1')
    .split('\n')
  const turn = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const block = height + (lines.length - 1) * LINE * height
  const top = vertical === 'top' ? thickness / 2 : vertical === 'bottom' ? -block - thickness / 2 : -block / 2
  const strokes: number[][] = []
  for (const [row, line] of lines.entries()) {
    const letters = Array.from(line, glyphOf)
    const units = letters.reduce((sum, glyph) => sum + glyph.width + BETWEEN, -BETWEEN)
    const length = Math.max(0, units) * UNIT * width
    let left = horizontal === 'left' ? 0 : horizontal === 'right' ? -length : -length / 2
    for (const glyph of letters) {
      for (const stroke of glyph.strokes) {
        const points: number[] = []
        for (let index = 0; index + 1 < stroke.length; index += 2) {
          const across = left + (stroke[index] ?? 0) * UNIT * width
          const x = isMirrored ? -across : across
          const y = top + row * LINE * height + ((stroke[index + 1] ?? 0) / HEIGHT) * height
          points.push(at.x + x * cos + y * sin, at.y - x * sin + y * cos)
        }
        strokes.push(points)
      }
      left += (glyph.width + BETWEEN) * UNIT * width
    }
  }
  return strokes
}
