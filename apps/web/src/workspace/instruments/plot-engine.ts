import './plot-engine.css'
import uPlot from 'uplot'

/** One line of a plot. */
export interface PlotLine {
  readonly name: string
  readonly unit: string
  readonly color: string
  /** So that lines are told apart without their colors. */
  readonly dash: readonly number[]
}

export interface PlotLimit {
  readonly value: number
  readonly label: string
  readonly unit: string
  readonly color: string
}

export interface PlotColors {
  readonly text: string
  readonly grid: string
  readonly ground: string
}

export interface PlotOptions {
  readonly lines: readonly PlotLine[]
  readonly limits: readonly PlotLimit[]
  readonly colors: PlotColors
  readonly font: string
  readonly size: { readonly width: number; readonly height: number }
  /** Times in milliseconds. */
  readonly onSelect: (from: number, to: number) => void
  readonly onPan: (byMs: number) => void
  readonly onCursor: (at: number | undefined) => void
}

export interface PlotData {
  readonly times: Float64Array
  readonly values: Float64Array
}

export interface Plot {
  /** With a line at a moment, if there is one. */
  show(data: readonly PlotData[], from: number, to: number, moment?: number): void
  resize(size: { readonly width: number; readonly height: number }): void
  destroy(): void
}

/** All plots of the page have one cursor: what happened at the same time stands at the same line. */
const CURSOR = 'instruments'
const AXIS_WIDTH = 46

/** Draws lines over time with uPlot. It keeps no values of its own. */
export function makePlot(element: HTMLElement, options: PlotOptions): Plot {
  const { lines, limits, colors, font, size } = options
  const units = [...new Set(lines.map(({ unit }) => unit))]
  const axisLook = {
    stroke: colors.text,
    font: `11px ${font}`,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { stroke: colors.grid, width: 1, size: 4 },
  }
  let shownMoment: number | undefined
  const plot = new uPlot(
    {
      ...size,
      ms: 1,
      padding: [10, units.length > 1 ? 0 : 12, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: true, auto: false },
        ...Object.fromEntries(units.map((unit) => [scaleOf(unit), { range: rangeFor(unit, limits) }])),
      },
      series: [
        {},
        ...lines.map(({ name, unit, color, dash }) => ({
          label: name,
          scale: scaleOf(unit),
          stroke: color,
          width: 2,
          dash: [...dash],
          points: { show: false },
        })),
      ],
      axes: [
        {
          ...axisLook,
          space: 76,
          size: 28,
          values: (_plot, times, _axis, _space, step) => times.map((time) => clockFor(step).format(time)),
        },
        // More than two would leave no room for the lines: the others have their numbers in the summary.
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum of sides exists in its types only
        ...units.slice(0, 2).map((unit, index) => ({
          ...axisLook,
          scale: scaleOf(unit),
          side: index === 0 ? 3 : 1,
          size: AXIS_WIDTH,
          ...(unit !== '' && { label: unit, labelSize: 16, labelFont: `11px ${font}`, labelGap: -4 }),
          ...(index > 0 && { grid: { show: false } }),
        })),
      ],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        sync: {
          key: CURSOR,
          scales: ['x', null],
          // The place alone: a stretch that is chosen in one plot is not chosen in all.
          filters: { pub: (type: string) => type === 'mousemove' || type === 'mouseleave' },
        },
        bind: {
          // With Shift the plot is moved, below.
          mousedown: (_plot, _target, handler) => (event) => {
            if (event.button === 0 && !event.shiftKey) handler(event)
            return null
          },
          dblclick: () => () => null,
        },
      },
      hooks: {
        setSelect: [
          (self) => {
            if (self.select.width < 4) return
            const { left, width } = self.select
            options.onSelect(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'))
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          },
        ],
        setCursor: [
          (self) => {
            const { left = -1 } = self.cursor
            options.onCursor(left < 0 ? undefined : self.posToVal(left, 'x'))
          },
        ],
        draw: [
          (self) => drawLimits(self, limits, colors, font),
          (self) => drawMoment(self, shownMoment, colors),
        ],
      },
    },
    [[], ...lines.map(() => [])],
    element,
  )
  const stopPanning = panWithShift(plot, options.onPan)
  return {
    show(data, from, to, moment) {
      shownMoment = moment
      plot.batch(() => {
        plot.setData(joined(data), false)
        plot.setScale('x', { min: from, max: to })
      })
    },
    resize: (next) => plot.setSize(next),
    destroy() {
      stopPanning()
      plot.destroy()
    },
  }
}

const DAY_MS = 86_400_000
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const CLOCKS = {
  fine: new Intl.DateTimeFormat('en-GB', { ...TIME, fractionalSecondDigits: 3 }),
  usual: new Intl.DateTimeFormat('en-GB', TIME),
  days: new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' }),
}

/** By how far two marks are apart. */
function clockFor(stepMs: number): Intl.DateTimeFormat {
  return stepMs < 1_000 ? CLOCKS.fine : stepMs < DAY_MS ? CLOCKS.usual : CLOCKS.days
}

const scaleOf = (unit: string) => `y ${unit}`

/** Around the values and the limits: one that is out of sight warns nobody. */
function rangeFor(unit: string, limits: readonly PlotLimit[]): uPlot.Range.Function {
  const own = limits.filter((limit) => limit.unit === unit).map(({ value }) => value)
  return (_plot, min, max) => {
    // Without values uPlot gives none, although its types say otherwise.
    const all = [min, max].filter((one) => Number.isFinite(one) && one !== null).concat(own)
    if (all.length === 0) return [0, 1]
    const [low, high] = [Math.min(...all), Math.max(...all)]
    const pad = (high - low || Math.abs(high) || 1) * 0.08
    return [low - pad, high + pad]
  }
}

/** One column of times for all lines; where a line has no value at a time it goes on to its next one. */
function joined(data: readonly PlotData[]): uPlot.AlignedData {
  const [only] = data
  const table = ({ times, values }: PlotData): uPlot.AlignedData => [
    times,
    // What is no number is a gap.
    Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
  ]
  return data.length === 1 && only !== undefined ? table(only) : uPlot.join(data.map(table))
}

function drawLimits(plot: uPlot, limits: readonly PlotLimit[], colors: PlotColors, font: string): void {
  const { ctx: paint, bbox } = plot
  const ratio = uPlot.pxRatio
  paint.save()
  paint.font = `${11 * ratio}px ${font}`
  paint.textAlign = 'right'
  for (const { value, label, unit, color } of limits) {
    const y = Math.round(plot.valToPos(value, scaleOf(unit), true))
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    paint.strokeStyle = color
    paint.lineWidth = ratio
    paint.setLineDash([8 * ratio, 4 * ratio])
    paint.beginPath()
    paint.moveTo(bbox.left, y)
    paint.lineTo(bbox.left + bbox.width, y)
    paint.stroke()
    paint.setLineDash([])
    paint.lineWidth = 3 * ratio
    paint.strokeStyle = colors.ground
    paint.fillStyle = color
    const [x, base] = [bbox.left + bbox.width - 4 * ratio, y - 4 * ratio]
    paint.strokeText(label, x, base)
    paint.fillText(label, x, base)
  }
  paint.restore()
}

function drawMoment(plot: uPlot, moment: number | undefined, { text }: PlotColors): void {
  if (moment === undefined) return
  const { ctx: paint, bbox } = plot
  const ratio = uPlot.pxRatio
  const x = Math.round(plot.valToPos(moment, 'x', true))
  if (x < bbox.left || x > bbox.left + bbox.width) return
  paint.save()
  paint.strokeStyle = text
  paint.fillStyle = text
  paint.lineWidth = 2 * ratio
  paint.beginPath()
  paint.moveTo(x, bbox.top)
  paint.lineTo(x, bbox.top + bbox.height)
  paint.stroke()
  // A line alone could be one of the grid.
  paint.beginPath()
  paint.moveTo(x - 5 * ratio, bbox.top)
  paint.lineTo(x + 5 * ratio, bbox.top)
  paint.lineTo(x, bbox.top + 7 * ratio)
  paint.fill()
  paint.restore()
}

function panWithShift(plot: uPlot, onPan: (byMs: number) => void): () => void {
  const { over } = plot
  let last: number | undefined
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !event.shiftKey) return
    over.setPointerCapture(event.pointerId)
    last = event.clientX
  }
  const move = ({ clientX }: PointerEvent) => {
    if (last === undefined) return
    onPan(plot.posToVal(last, 'x') - plot.posToVal(clientX, 'x'))
    last = clientX
  }
  const up = () => {
    last = undefined
  }
  over.addEventListener('pointerdown', down)
  over.addEventListener('pointermove', move)
  over.addEventListener('lostpointercapture', up)
  return () => {
    over.removeEventListener('pointerdown', down)
    over.removeEventListener('pointermove', move)
    over.removeEventListener('lostpointercapture', up)
  }
}
