import { colourOf, FAINT, GOAL, legend, line, picture, rectangle, text } from './svg.ts'

/** Bars that can be compared with each other; every panel has a scale of its own. */
export interface Panel {
  readonly title: string
  readonly values: readonly number[]
  readonly show: (value: number) => string
  /** Where the last bar should end, and which way is better. */
  readonly goal?: { readonly value: number; readonly text: string }
}

const WIDTH = 760
const BAR_AREA = 640
const BAR = 18
const GAP = 5
const PANEL_GAP = 44
const TOP = 76
const FIGURE_WIDTH = 60

/** Horizontal bars, one panel below the other, a colour for each name. */
export function barPlot(title: string, names: readonly string[], panels: readonly Panel[]): string {
  const colours = names.map((_, index) => colourOf(index))
  const parts = [legend(40, names, colours)]
  let y = TOP
  for (const panel of panels) {
    const largest = Math.max(...panel.values, panel.goal?.value ?? 0)
    const widthOf = (value: number) => (Math.max(0, value) / largest) * BAR_AREA
    const goalAt = panel.goal === undefined ? 0 : widthOf(panel.goal.value)
    /** The goal's line crosses the last bar: a figure under it could not be read. */
    const beside = (end: number, index: number) =>
      index === panel.values.length - 1 && end < goalAt && goalAt < end + FIGURE_WIDTH ? goalAt : end
    parts.push(text(0, y, panel.title, 'font-weight="600"'))
    const top = y + 10
    for (const [index, value] of panel.values.entries()) {
      const at = top + index * (BAR + GAP)
      parts.push(rectangle(0, at, widthOf(value), BAR, colourOf(index)))
      parts.push(text(beside(widthOf(value), index) + 7, at + 13, panel.show(value)))
    }
    const bottom = top + panel.values.length * (BAR + GAP)
    parts.push(line(0, bottom, BAR_AREA, bottom, `stroke="${FAINT}"`))
    if (panel.goal !== undefined) {
      const last = bottom - BAR - GAP - 4
      parts.push(
        line(goalAt, last, goalAt, bottom + 4, `stroke="${GOAL}" stroke-width="2" stroke-dasharray="4 3"`),
      )
      parts.push(text(goalAt, bottom + 16, panel.goal.text, 'text-anchor="middle" font-size="11"'))
    }
    y = bottom + PANEL_GAP
  }
  return picture(WIDTH, y - 20, title, parts)
}
