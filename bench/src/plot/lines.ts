import { ceiling, colourOf, FAINT, legend, line, picture, text } from './svg.ts'

export interface Series {
  readonly name: string
  readonly colour: number
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface LinePlot {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly series: readonly Series[]
}

const WIDTH = 760
const HEIGHT = 320
const LEFT = 44
const RIGHT = 720
const TOP = 84
const BOTTOM = 268
const STEPS = 4

/** The x axis is logarithmic: growth shows as a slope, and doubling costs as a line that rises. */
export function linePlot({ title, xTitle, yTitle, series }: LinePlot): string {
  const points = series.flatMap((one) => one.points)
  const xs = [...new Set(points.map(([x]) => x))].toSorted((a, b) => a - b)
  const top = ceiling(Math.max(...points.map(([, y]) => y)))
  const [low, high] = [Math.log(xs[0] ?? 1), Math.log(xs.at(-1) ?? 1)]
  const xOf = (x: number) => LEFT + 30 + ((Math.log(x) - low) / (high - low || 1)) * (RIGHT - LEFT - 60)
  const yOf = (y: number) => BOTTOM - (y / top) * (BOTTOM - TOP)
  const colours = series.map(({ colour }) => colourOf(colour))
  const parts = [
    legend(
      40,
      series.map(({ name }) => name),
      colours,
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
  for (const [index, one] of series.entries()) {
    const colour = colours[index]
    const path = one.points.map(([x, y]) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`).join(' ')
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2.5"/>`)
    for (const [x, y] of one.points) {
      parts.push(`<circle cx="${xOf(x).toFixed(1)}" cy="${yOf(y).toFixed(1)}" r="4" fill="${colour}"/>`)
      // The highest of a place is written above it, the others below: figures of neighbours would cover each other.
      const isHighest = series.every(({ points: others }) =>
        others.every(([at, height]) => at !== x || height <= y),
      )
      parts.push(
        text(xOf(x), yOf(y) + (isHighest ? -10 : 20), y.toFixed(0), 'text-anchor="middle" font-size="11"'),
      )
    }
  }
  return picture(WIDTH, HEIGHT, title, parts)
}
