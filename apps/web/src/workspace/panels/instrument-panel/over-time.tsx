import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { DataTable } from '../../instruments/data-table.tsx'
import { type LogLine, LogList } from '../../instruments/log-list.tsx'
import { NO_READING, numbersOf, type ReadingState } from '../../instruments/reading.ts'
import { type PlotSeries, type Threshold, TimePlot } from '../../instruments/time-plot.tsx'
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
          buffer: store.series(bound.address, bound.member ?? member),
          ...about,
        }
      }),
    )
  }, [store, of, shape])
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
    />
  )
}

/** Whichever comes first tells most of a plot of several. */
const STATES: readonly ReadingState[] = ['live', 'stale', 'offline', 'none']
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

const MOST_LINES = 2_000
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
  const reading = useReading(of)
  const [lines, setLines] = useState<readonly LogLine[]>([])
  useEffect(() => {
    const take = () => {
      const { value, at } = store.reading(of.address)
      if (value === null) return
      const said =
        typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : { message: value }
      const line = {
        at,
        level: LEVELS[String(said['level'])] ?? 'info',
        source: typeof said['source'] === 'string' ? said['source'] : (of.device?.title ?? ''),
        text: textOf(said['message'] ?? said['text']),
      }
      const seq = said['seq']
      setLines((before) => {
        const last = before.at(-1)
        // What is said again is the same line, unless it is counted.
        const isKnown = typeof seq === 'number' ? last?.id === seq : last?.at === at
        const id = typeof seq === 'number' ? seq : (last?.id ?? 0) + 1
        return isKnown ? before : [...before.slice(-(MOST_LINES - 1)), { id, ...line }]
      })
    }
    take()
    return store.follow(of.address, take)
  }, [store, of])
  return (
    <LogList
      label={label ?? of.label}
      lines={lines}
      reading={reading.value === null ? NO_READING : reading}
    />
  )
})

function textOf(said: unknown): string {
  return typeof said === 'string' || typeof said === 'number' ? String(said) : ''
}
