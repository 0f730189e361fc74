import {
  ChevronLeft,
  ChevronRight,
  ChevronsRight,
  RotateCcw,
  Snowflake,
  Table2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { classes } from '../../components/classes.ts'
import { Spinner } from '../../components/spinner.tsx'
import { Instrument } from './instrument.tsx'
import type { PlotData } from './plot-engine.ts'
import { edgeOf, latestOf, panned, SHORTEST_MS, type View, zoomed } from './plot-view.ts'
import { formatNumber, formatQuantity, formatTime, type Reading } from './reading.ts'
import type { SeriesBuffer } from './series-buffer.ts'
import styles from './time-plot.module.css'
import { Tool, ToolSwitch, Tools } from './tools.tsx'
import {
  COLORS,
  DASHES,
  type PlotActions,
  type PlotSeries,
  type Threshold,
  usePlot,
  useVersion,
  useWheel,
} from './use-plot.ts'
import { words } from './words.ts'

interface TimePlotProps {
  label: string
  series: readonly PlotSeries[]
  thresholds?: readonly Threshold[]
  /** How much is in view at first. */
  spanMs?: number
  reading?: Pick<Reading, 'at' | 'state'>
  /** A moment of the past that is shown: the plot follows it rather than the latest value, with a line where it is. */
  moment?: number
  /** Told which time is in view, whenever that changes. */
  onShow?: (from: number, to: number) => void
}

const TABLE_ROWS = 100

/** Values over time. What it draws it also says: each series with its last, lowest and highest value, and a table. */
export function TimePlot({
  label,
  series,
  thresholds = [],
  spanMs = 60_000,
  reading,
  moment,
  onShow,
}: TimePlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const keysId = useId()
  const [view, setView] = useState<View>({ span: spanMs, end: undefined })
  const [frozen, setFrozen] = useState<readonly SeriesBuffer[]>()
  const [hasTable, setTable] = useState(false)
  const [cursor, setCursor] = useState<number>()
  const buffers = useMemo(() => frozen ?? series.map(({ buffer }) => buffer), [frozen, series])
  const version = useVersion(buffers)
  const actions = useRef<PlotActions>(undefined)
  const status = usePlot(place, { series, thresholds, buffers, view, moment, actions, setCursor })

  const latest = latestOf(buffers)
  const edge = edgeOf(view, moment, latest)
  const to = view.end ?? edge ?? 0
  useEffect(() => onShow?.(to - view.span, to), [onShow, to, view.span])
  // a buffer is the same object with other values in it
  const shown = useMemo(
    () => buffers.map((buffer) => buffer.view(to - view.span, to)),
    // oxlint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps -- the version tells of new values
    [buffers, to, view.span, version],
  )
  const zoom = (factor: number, at?: number) => setView((before) => zoomed(before, factor, at, edge))
  const pan = (byMs: number) => setView((before) => panned(before, byMs, edge, moment !== undefined))
  const freeze = (isOn: boolean) => setFrozen(isOn ? series.map(({ buffer }) => buffer.copy()) : undefined)
  const reset = () => {
    setFrozen(undefined)
    setView({ span: spanMs, end: undefined })
  }
  useEffect(() => {
    actions.current = {
      zoom,
      pan,
      select: (from, end) => setView({ span: Math.max(SHORTEST_MS, end - from), end }),
    }
  })
  useWheel(frame, place, (factor, share) => zoom(factor, to - view.span * (1 - share)))

  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(-view.span / 4),
    ArrowRight: () => pan(view.span / 4),
    '+': () => zoom(0.5),
    '=': () => zoom(0.5),
    '-': () => zoom(2),
    '0': reset,
    // What is past stands still by itself.
    ' ': () => freeze(frozen === undefined && moment === undefined),
  }
  const rows = series.map((one, index) => ({ ...one, ...summaryOf(shown[index], cursor, moment), index }))
  return (
    <Instrument
      label={label}
      reading={latest === undefined && reading === undefined ? { at: 0, state: 'none' } : reading}
      aside={
        frozen !== undefined ? (
          <span className={styles.flag}>{words.plot.frozen(formatTime(latest ?? 0))}</span>
        ) : (
          view.end !== undefined &&
          moment === undefined && <span className={styles.flag}>{words.plot.past}</span>
        )
      }
    >
      <Tools label={words.plot.tools(label)}>
        <Tool label={words.plot.zoomIn} onPress={() => zoom(0.5)}>
          <ZoomIn aria-hidden />
        </Tool>
        <Tool label={words.plot.zoomOut} onPress={() => zoom(2)}>
          <ZoomOut aria-hidden />
        </Tool>
        <Tool label={words.plot.back} onPress={() => pan(-view.span / 4)}>
          <ChevronLeft aria-hidden />
        </Tool>
        <Tool
          label={words.plot.forward}
          onPress={() => pan(view.span / 4)}
          isDisabled={view.end === undefined && moment === undefined}
        >
          <ChevronRight aria-hidden />
        </Tool>
        <Tool
          label={moment === undefined ? words.plot.live : words.plot.follow}
          onPress={() => setView({ ...view, end: undefined })}
          isDisabled={view.end === undefined}
        >
          <ChevronsRight aria-hidden />
        </Tool>
        <Tool label={words.plot.reset} onPress={reset}>
          <RotateCcw aria-hidden />
        </Tool>
        {moment === undefined && (
          <ToolSwitch label={words.plot.freeze} isOn={frozen !== undefined} onChange={freeze}>
            <Snowflake aria-hidden />
          </ToolSwitch>
        )}
        <ToolSwitch label={words.plot.table} isOn={hasTable} onChange={setTable}>
          <Table2 aria-hidden />
        </ToolSwitch>
      </Tools>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys */}
      <div
        ref={frame}
        role="application"
        aria-roledescription={words.plot.role}
        aria-label={label}
        aria-describedby={keysId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
        tabIndex={0}
        className={classes(styles.plot)}
        data-from={Math.round(to - view.span)}
        data-to={Math.round(to)}
        data-moment={moment === undefined ? undefined : Math.round(moment)}
        onKeyDown={(event) => {
          const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key]
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
        onPointerDown={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
      >
        <div ref={place} aria-hidden="true" className={styles.canvas} />
        {status === 'loading' && <Spinner label={words.plot.loading} />}
        {status === 'failed' && <p className={styles.nothing}>{words.plot.failed}</p>}
        {status === 'ready' && latest === undefined && (
          <p className={styles.nothing}>{moment === undefined ? words.none : words.stateNames.absent}</p>
        )}
      </div>
      <table aria-label={label} data-legend className={styles.summary}>
        <thead>
          <tr>
            <th scope="col">{words.plot.series}</th>
            <th scope="col">{words.plot.last}</th>
            <th scope="col">{words.plot.min}</th>
            <th scope="col">{words.plot.max}</th>
            <th scope="col">{words.plot.cursor}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, unit, precision, index, ...numbers }) => (
            <tr key={id}>
              <th scope="row">
                <Swatch index={index} />
                {name}
                {unit !== undefined && <span className={styles.unit}> {unit}</span>}
              </th>
              {(['last', 'min', 'max', 'atCursor'] as const).map((key) => (
                <td key={key}>{inWords(numbers[key], precision)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {thresholds.length > 0 && (
        <p className={styles.limits}>
          {words.plot.thresholds(
            thresholds
              .map(({ label: name, value, unit }) =>
                words.plot.threshold(name, formatQuantity(value, unit ?? series[0]?.unit)),
              )
              .join(' · '),
          )}
        </p>
      )}
      {hasTable && <ValueTable label={label} series={series} shown={shown} />}
      <p id={keysId} className={styles.keys}>
        {words.plot.keys}
      </p>
    </Instrument>
  )
}

function summaryOf(
  { times, values }: PlotData = { times: new Float64Array(), values: new Float64Array() },
  cursor?: number,
  moment = Infinity,
) {
  let [min, max] = [Infinity, -Infinity]
  let atCursor: number | undefined
  let last: number | undefined
  for (const [index, value] of values.entries()) {
    const time = times[index] ?? Infinity
    if (value < min) min = value
    if (value > max) max = value
    if (cursor !== undefined && time <= cursor) atCursor = value
    if (time <= moment) last = value
  }
  const isEmpty = min === Infinity
  return { last, min: isEmpty ? undefined : min, max: isEmpty ? undefined : max, atCursor }
}

function inWords(value: number | undefined, precision: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? words.dash : formatNumber(value, precision)
}

/** The line as it is drawn. */
function Swatch({ index }: { index: number }) {
  return (
    <svg viewBox="0 0 24 8" aria-hidden="true" className={styles.swatch}>
      <line
        x1="0"
        y1="4"
        x2="24"
        y2="4"
        strokeDasharray={(DASHES[index % DASHES.length] ?? []).join(' ')}
        style={{ stroke: `var(${COLORS[index % COLORS.length] ?? ''})` }}
      />
    </svg>
  )
}

interface ValueTableProps {
  label: string
  series: readonly PlotSeries[]
  shown: readonly PlotData[]
}

/** The latest values in view, newest first. */
function ValueTable({ label, series, shown }: ValueTableProps) {
  const rows = new Map<number, (number | undefined)[]>()
  for (const [index, { times, values }] of shown.entries())
    for (let place = Math.max(0, times.length - TABLE_ROWS); place < times.length; place += 1) {
      const time = times[place] ?? 0
      const row = rows.get(time) ?? series.map(() => undefined)
      row[index] = values[place]
      rows.set(time, row)
    }
  const newest = [...rows].toSorted(([one], [other]) => other - one).slice(0, TABLE_ROWS)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section aria-label={words.plot.tableOf(label)} tabIndex={0} className={styles.tableFrame}>
      <table className={styles.summary}>
        <caption>{words.plot.cut(newest.length)}</caption>
        <thead>
          <tr>
            <th scope="col">{words.plot.time}</th>
            {series.map(({ id, name, unit }) => (
              <th key={id} scope="col">
                {name}
                {unit !== undefined && <span className={styles.unit}> {unit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newest.map(([time, values]) => (
            <tr key={time}>
              <th scope="row">{formatTime(time)}</th>
              {series.map(({ id, precision }, index) => (
                <td key={id}>{inWords(values[index], precision)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
