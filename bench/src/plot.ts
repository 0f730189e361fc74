import type { Series, Show } from './report.ts'

/** Mid-tones on nothing: readable on the light and on the dark pages that show them. */
const INK = '#7d8590'
const GOAL = '#d1584f'
const FAINT = '#7d859055'
const COLORS = ['#8b949e', '#c08a3e', '#3d85d8'] as const
const WIDTH = 760

const colorOf = (index: number) => COLORS[index % COLORS.length] ?? INK
const round = (value: number) => String(Math.round(value * 10) / 10)
const escape = (content: string) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${escape(content)}</text>`
}

function rectangle(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2" fill="${fill}"/>`
}

function line(x1: number, y1: number, x2: number, y2: number, more: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${more}/>`
}

/** `title` is also what a screen reader says. */
function picture(height: number, title: string, parts: readonly string[]): string {
  const size = `width="${WIDTH}" height="${round(height)}" viewBox="0 0 ${WIDTH} ${round(height)}"`
  const font = `font-family="system-ui, sans-serif" font-size="12" fill="${INK}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" ${font}>`,
    `<title>${escape(title)}</title>`,
    text(0, 16, title, 'font-size="14" font-weight="600"'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** Colored squares with names, in one row. */
function legend(names: readonly string[], colors: readonly string[]): string {
  let x = 0
  return names
    .map((name, index) => {
      const at = x
      x += 30 + name.length * 6.6
      return rectangle(at, 30, 11, 11, colors[index] ?? INK) + text(at + 17, 40, name)
    })
    .join('\n')
}

/** Bars that can be compared with each other; every panel has a scale of its own. */
export interface Panel {
  readonly title: string
  readonly values: readonly number[]
  readonly show: Show
  /** Where the last bar should end. */
  readonly goal?: { readonly value: number; readonly text: string } | undefined
}

/** The medians of these sides, with the goal of the series as a multiple of the side that `against` names. */
export function panel<Name extends string>(
  title: string,
  { median, show, goal }: Series<Name>,
  sides: readonly Name[],
  against?: readonly [side: NoInfer<Name>, text: string],
): Panel {
  const values = sides.map(median)
  if (against === undefined || goal === undefined) return { title, values, show }
  const [side, name] = against
  return {
    title,
    values,
    show,
    goal: { value: median(side) * goal.value, text: `goal: ${goal.value} × ${name}` },
  }
}

const BAR_AREA = 640
const BAR = 18
const GAP = 5
const PANEL_GAP = 44
const FIGURE_WIDTH = 60

/** Horizontal bars, one panel below the other, a color for each name. */
export function barPlot(title: string, names: readonly string[], panels: readonly Panel[]): string {
  const colors = names.map((_, index) => colorOf(index))
  const parts = [legend(names, colors)]
  let y = 76
  for (const { title: heading, values, show, goal } of panels) {
    const largest = Math.max(...values, goal?.value ?? 0)
    const widthOf = (value: number) => (Math.max(0, value) / largest) * BAR_AREA
    const goalAt = goal === undefined ? 0 : widthOf(goal.value)
    /** The goal's line crosses the last bar: a figure under it could not be read. */
    const beside = (end: number, index: number) =>
      index === values.length - 1 && end < goalAt && goalAt < end + FIGURE_WIDTH ? goalAt : end
    parts.push(text(0, y, heading, 'font-weight="600"'))
    const top = y + 10
    for (const [index, value] of values.entries()) {
      const at = top + index * (BAR + GAP)
      parts.push(rectangle(0, at, widthOf(value), BAR, colorOf(index)))
      parts.push(text(beside(widthOf(value), index) + 7, at + 13, show(value)))
    }
    const bottom = top + values.length * (BAR + GAP)
    parts.push(line(0, bottom, BAR_AREA, bottom, `stroke="${FAINT}"`))
    if (goal !== undefined) {
      const dashes = `stroke="${GOAL}" stroke-width="2" stroke-dasharray="4 3"`
      parts.push(line(goalAt, bottom - BAR - GAP - 4, goalAt, bottom + 4, dashes))
      parts.push(text(goalAt, bottom + 16, goal.text, 'text-anchor="middle" font-size="11"'))
    }
    y = bottom + PANEL_GAP
  }
  return picture(y - 20, title, parts)
}

export interface LinePlot {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly lines: readonly {
    readonly name: string
    readonly color: number
    readonly points: readonly (readonly [x: number, y: number])[]
  }[]
}

const HEIGHT = 320
const LEFT = 44
const RIGHT = 720
const TOP = 84
const BOTTOM = 268
const STEPS = 4

/** The x axis is logarithmic: growth shows as a slope, and doubling costs as a line that rises. */
export function linePlot({ title, xTitle, yTitle, lines }: LinePlot): string {
  const points = lines.flatMap((one) => one.points)
  const xs = [...new Set(points.map(([x]) => x))].toSorted((a, b) => a - b)
  const top = ceiling(Math.max(...points.map(([, y]) => y)))
  const [low, high] = [Math.log(xs[0] ?? 1), Math.log(xs.at(-1) ?? 1)]
  const xOf = (x: number) => LEFT + 30 + ((Math.log(x) - low) / (high - low || 1)) * (RIGHT - LEFT - 60)
  const yOf = (y: number) => BOTTOM - (y / top) * (BOTTOM - TOP)
  const names = lines.map(({ name }) => name)
  const parts = [
    legend(
      names,
      lines.map(({ color }) => colorOf(color)),
    ),
    text(0, TOP - 16, yTitle, 'font-size="11"'),
    text((LEFT + RIGHT) / 2, HEIGHT - 14, xTitle, 'text-anchor="middle"'),
  ]
  for (let step = 0; step <= STEPS; step += 1) {
    const value = (top / STEPS) * step
    parts.push(line(LEFT, yOf(value), RIGHT, yOf(value), `stroke="${FAINT}"`))
    parts.push(text(LEFT - 8, yOf(value) + 4, String(value), 'text-anchor="end"'))
  }
  for (const x of xs) parts.push(text(xOf(x), BOTTOM + 20, x.toLocaleString('en-US'), 'text-anchor="middle"'))
  for (const one of lines) {
    const color = colorOf(one.color)
    const path = one.points.map(([x, y]) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`).join(' ')
    parts.push(`<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2.5"/>`)
    for (const [x, y] of one.points) {
      parts.push(`<circle cx="${xOf(x).toFixed(1)}" cy="${yOf(y).toFixed(1)}" r="4" fill="${color}"/>`)
      // The highest of a place is written above it, the others below: figures of neighbors would cover each other.
      const isHighest = points.every(([at, height]) => at !== x || height <= y)
      parts.push(
        text(xOf(x), yOf(y) + (isHighest ? -10 : 20), y.toFixed(0), 'text-anchor="middle" font-size="11"'),
      )
    }
  }
  return picture(HEIGHT, title, parts)
}

/** The next of 1, 2, 2.5, 5, 10, 20 … that the value fits under. */
function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
