import { childOf, hasFlag, type List, numberOf, textIn, valuesOf } from '@patchbay/kicad-format'
import type { TextStyle } from './lay-out-text.ts'
import type { DrawingSettings } from './settings.ts'
import type { Color, Ink, LineType, Place, Shape } from './shapes.ts'

const DEFAULT_TEXT_SIZE = 1.27
/** What no sheet has: a text of ten meters. */
const LARGEST = 1_000

export function millimetersIn(list: List | undefined, head: string): number | undefined {
  return within(numberOf(textIn(list, head)))
}

function within(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && Math.abs(value) < 1e6 ? value : undefined
}

export function placeIn(list: List | undefined): Place | undefined {
  const [x, y] = valuesOf(list).map((value) => within(numberOf(value)))
  return x === undefined || y === undefined ? undefined : { x, y }
}

export interface Effects extends TextStyle {
  readonly color: Color | undefined
  readonly isBold: boolean
}

/** How a text is written, from what has `effects`. */
export function effectsOf(
  node: List,
  settings: DrawingSettings,
  otherwise: Partial<TextStyle> = {},
): Effects {
  const effects = childOf(node, 'effects')
  const font = childOf(effects, 'font')
  const [high, wide] = valuesOf(childOf(font, 'size')).map((value) => within(numberOf(value)))
  const height = Math.min(high ?? DEFAULT_TEXT_SIZE, LARGEST)
  const width = Math.min(wide ?? height, LARGEST)
  const justify = valuesOf(childOf(effects, 'justify'))
  const isBold = hasFlag(font, 'bold')
  return {
    width,
    height,
    pen: penOf({ width, height, isBold, thickness: millimetersIn(font, 'thickness') ?? 0 }, settings),
    isItalic: hasFlag(font, 'italic'),
    isBold,
    horizontal: justify.includes('left')
      ? 'left'
      : justify.includes('right')
        ? 'right'
        : (otherwise.horizontal ?? 'center'),
    vertical: justify.includes('top')
      ? 'top'
      : justify.includes('bottom')
        ? 'bottom'
        : (otherwise.vertical ?? 'center'),
    color: colorOf(font),
  }
}

export function penOf(
  text: {
    readonly width: number
    readonly height: number
    readonly isBold: boolean
    readonly thickness: number
  },
  { lineWidth }: DrawingSettings,
): number {
  const pen = text.thickness > 0 ? text.thickness : text.isBold ? text.width / 5 : lineWidth
  return Math.min(pen, Math.min(text.width, text.height) / 4)
}

/** Of `(color 255 0 0 1)`; all zeros mean that the theme says it. */
export function colorOf(list: List | undefined): { readonly css: string } | undefined {
  const color = childOf(list, 'color')
  if (color === undefined) return undefined
  const [red = 0, green = 0, blue = 0, alpha = 1] = valuesOf(color).map((value) => numberOf(value) ?? 0)
  if (alpha <= 0) return undefined
  const byte = (value: number) => Math.round(Math.min(255, Math.max(0, value)))
  return { css: `rgb(${byte(red)} ${byte(green)} ${byte(blue)} / ${Math.min(1, alpha)})` }
}

const LINE_TYPES: readonly string[] = ['solid', 'dash', 'dot', 'dash_dot', 'dash_dot_dot']

interface Stroke {
  readonly stroke: Color | undefined
  readonly width: number
  readonly type: LineType
}

/** Less than no width is no outline; no width is the usual one. */
export function strokeOf(node: List, ink: Ink, usual: number): Stroke {
  const stroke = childOf(node, 'stroke')
  const width = millimetersIn(stroke, 'width') ?? 0
  const type = textIn(stroke, 'type') ?? 'default'
  return {
    stroke: width < 0 ? undefined : (colorOf(stroke) ?? ink),
    width: width > 0 ? Math.min(width, LARGEST) : width < 0 ? 0 : usual,
    type: LINE_TYPES.includes(type) ? (type as LineType) : 'solid',
  }
}

/** What is inside an outline. */
export function fillOf(node: List, ink: Ink, background: Ink | undefined): Color | undefined {
  const fill = childOf(node, 'fill')
  const type = textIn(fill, 'type')
  if (type === 'outline') return colorOf(childOf(node, 'stroke')) ?? ink
  if (type === 'background') return background
  return type === 'color' ? colorOf(fill) : undefined
}

export function strokesShape(
  text: string,
  lines: readonly (readonly Place[])[],
  pen: number,
  stroke: Color,
): Shape {
  return { kind: 'strokes', lines, text, width: pen, stroke }
}

const ESCAPES: Readonly<Record<string, string>> = {
  dblquote: '"',
  quote: "'",
  lt: '<',
  gt: '>',
  backslash: '\\',
  slash: '/',
  bar: '|',
  comma: ',',
  colon: ':',
  space: ' ',
  dollar: '$',
  tab: '\t',
  return: '\n',
  brace: '{',
}

/** Names cannot have every character in a file, and say `{slash}` instead. */
export function unescapeName(text: string): string {
  return text.includes('{')
    ? text.replaceAll(/(?<![~_^$])\{([a-z]+)\}/g, (all, name: string) => ESCAPES[name] ?? all)
    : text
}
