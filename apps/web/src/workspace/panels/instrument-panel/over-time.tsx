import { type ReactNode, useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { DeviceStore } from '../../devices/device-store.ts'
import { DataTable } from '../../instruments/data-table.tsx'
import { type LogLine, LogList } from '../../instruments/log-list.tsx'
import { NO_READING, numbersOf, type ReadingState } from '../../instruments/reading.ts'
import { TimePlot } from '../../instruments/time-plot.tsx'
import type { PlotSeries, Threshold } from '../../instruments/use-plot.ts'
import { wide } from './arrange.tsx'
import type { Bound } from './bindings.ts'
import { useDevicePanel, useReading, useReadingText } from './panel-context.ts'
import { isThere, type Part, quantityOf, single } from './parts.ts'

interface PlotOptions {
  readonly seconds?: number
  /** Channels whose values are limits. */
  readonly limits?: readonly Part[]
}

/** Channels over time; objects and lists of numbers as one line for each member. */
export function plot(label: string, parts: readonly Part[], options: PlotOptions = {}): ReactNode {
  const bound = parts.filter(isThere)
  if (bound.length === 0) return null
  return wide(<PlotNode label={label} of={bound} {...options} />)
}

const MOST_MEMBERS = 12
const NO_PARTS: readonly Part[] = []

function PlotNode({
  label,
  of,
  seconds = 60,
  limits = NO_PARTS,
}: { label: string; of: readonly Bound[] } & PlotOptions) {
  const { store } = useDevicePanel()
  const stretch = useMemo(() => store.stretch(), [store])
  useEffect(() => () => stretch.end(), [stretch])
  const moment = useSyncExternalStore(store.followMoment, store.moment)
  const show = useCallback((from: number, to: number) => stretch.show(from, to), [stretch])
  const limiting = useMemo(() => limits.filter(isThere), [limits])
  const shape = useReadingText(of, (readings) =>
    JSON.stringify(
      readings.map((reading) => {
        const members = Object.keys(numbersOf(reading)).slice(0, MOST_MEMBERS)
        // Also where nothing is known yet: a plot has a line.
        return members.length === 0 ? [''] : members
      }),
    ),
  )
  const values = useReadingText(limiting, (readings) => JSON.stringify(readings.map(({ value }) => value)))
  const worst = useReadingText(of, (readings) => {
    const found = STATES.find((one) => readings.some((reading) => reading.state === one)) ?? 'none'
    return found === 'live' ? found : `${found} ${Math.max(...readings.map(({ at }) => at))}`
  })
  const series = useMemo(() => {
    const members = JSON.parse(shape) as readonly (readonly string[])[]
    return of.flatMap((bound, index): readonly PlotSeries[] =>
      (members[index] ?? []).map((member) => {
        const { label: name, ...about } = quantityOf(bound)
        const id = `${bound.address} ${member}`
        const isOnly = of.length === 1
        return {
          id,
          name: member === '' ? name : isOnly ? memberName(member) : `${name} ${memberName(member)}`,
          buffer: stretch.series(bound.address, bound.member ?? member),
          ...about,
        }
      }),
    )
  }, [stretch, of, shape])
  const thresholds = useMemo(() => {
    const known = JSON.parse(values) as readonly unknown[]
    return limiting.flatMap(({ label: name, unit }, index): readonly Threshold[] => {
      const value = known[index]
      return typeof value === 'number'
        ? [{ value, label: name, tone: 'warning', ...(unit !== undefined && { unit }) }]
        : []
    })
  }, [limiting, values])
  const [found = 'none', at = '0'] = worst.split(' ')
  const reading = useMemo(() => ({ state: found as ReadingState, at: Number(at) }), [found, at])
  return (
    <TimePlot
      label={label}
      series={series}
      thresholds={thresholds}
      spanMs={seconds * 1_000}
      reading={reading}
      onShow={show}
      {...(moment !== undefined && { moment })}
    />
  )
}

/** Whichever comes first tells most of a plot of several. */
const STATES: readonly ReadingState[] = ['live', 'past', 'stale', 'offline', 'loading', 'absent', 'none']
/** Lists count from 0, people from 1. */
const memberName = (member: string) => (/^\d+$/.test(member) ? `#${Number(member) + 1}` : member)

/** The latest values of any channels, as rows. */
export function table(label: string, parts: readonly Part[]): ReactNode {
  const bound = parts.filter(isThere)
  return bound.length === 0 ? null : <TableNode label={label} of={bound} />
}

function TableNode({ label, of }: { label: string; of: readonly Bound[] }) {
  const { store } = useDevicePanel()
  // The text tells of changes; the readings themselves are the store's.
  useReadingText(of, (readings) => readings.map(({ at, state: each }) => `${at} ${each}`).join())
  return (
    <DataTable
      label={label}
      rows={of.map((bound) => {
        const { label: name, ...about } = quantityOf(bound)
        return { id: bound.address, name, reading: store.reading(bound.address), ...about }
      })}
    />
  )
}

const LEVELS: Readonly<Record<string, LogLine['level']>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  warning: 'warning',
  error: 'error',
  fatal: 'error',
}

/** A channel that has one line after the other, as text or as an object with its level and source. */
export const log = single(function LogNode({ of, label }: { of: Bound; label?: string }) {
  const { store } = useDevicePanel()
  const { address, device } = of
  const reading = useReading(of)
  const subscribe = useCallback((listener: () => void) => store.follow(address, listener), [store, address])
  const values = useSyncExternalStore(subscribe, () => store.lines(address))
  const lines = useMemo(() => linesOf(values, device?.title ?? ''), [values, device?.title])
  return (
    <LogList
      label={label ?? of.label}
      lines={lines}
      reading={reading.value === null && reading.state === 'live' ? NO_READING : reading}
    />
  )
})

function linesOf(values: ReturnType<DeviceStore['lines']>, device: string): LogLine[] {
  const lines: LogLine[] = []
  for (const { value, at } of values) {
    if (value === null) continue
    const said = typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : { message: value }
    const text = textOf(said['message'] ?? said['text'])
    const seq = said['seq']
    const last = lines.at(-1)
    // What is said again is the same line, unless it is counted.
    if (typeof seq === 'number' ? last?.id === seq : last?.at === at && last.text === text) continue
    lines.push({
      // Of several at one moment each has one of its own.
      id: typeof seq === 'number' ? seq : last?.at === at ? last.id + 0.001 : at,
      at,
      level: LEVELS[String(said['level'])] ?? 'info',
      source: typeof said['source'] === 'string' ? said['source'] : device,
      text,
    })
  }
  return lines
}

function textOf(said: unknown): string {
  return typeof said === 'string' || typeof said === 'number' ? String(said) : ''
}
