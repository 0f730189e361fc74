import { useMemo } from 'react'
import { HeatMap } from '../../instruments/heat-map.tsx'
import type { MapThing } from '../../instruments/map-drawing.ts'
import { Orientation } from '../../instruments/orientation.tsx'
import { PlanMap } from '../../instruments/plan-map.tsx'
import { numberOf, numbersOf, type Reading } from '../../instruments/reading.ts'
import type { Bound } from './bindings.ts'
import { useDevicePanel, useReading } from './panel-context.ts'
import { quantityOf, single } from './parts.ts'
import { words } from './words.ts'

export const orientation = single(function OrientationNode({ of }: { of: Bound }) {
  return <Orientation label={of.label} reading={useReading(of)} />
})

/** A list of numbers as a square, such as the zones of a ranging sensor. */
export const heat = single(function HeatNode({ of }: { of: Bound }) {
  const reading = useReading(of)
  const grid = useMemo(() => gridOf(reading, of.range?.max ?? 0), [reading, of.range?.max])
  return <HeatMap {...quantityOf(of)} reading={grid} {...(of.range !== undefined && { range: of.range })} />
})

/** Where nothing came back, what is there is beyond the range. */
function gridOf(reading: Reading, beyond: number): Reading {
  if (!Array.isArray(reading.value)) return reading
  const all = reading.value.map((one: unknown) => (typeof one === 'number' ? one : beyond))
  const columns = Math.max(1, Math.round(Math.sqrt(all.length)))
  const rows = Array.from({ length: Math.ceil(all.length / columns) }, (_, row) =>
    all.slice(row * columns, (row + 1) * columns),
  )
  return { ...reading, value: rows }
}

const TRAIL_MS = 30_000
const CIRCLE = Array.from({ length: 33 }, (_, index) => (index / 32) * 2 * Math.PI)

interface MapProps {
  of: Bound
  label: string
  /** `a1_x`, `a1_y` and so on. */
  anchors?: Bound | undefined
  accuracy?: Bound | undefined
}

/** `x` and `y` seen from above, with where they have been. */
export const map = single(function MapNode({ of, label, anchors = of, accuracy = of }: MapProps) {
  const { store } = useDevicePanel()
  const reading = useReading(of)
  const places = useReading(anchors)
  const around = numberOf(useReading(accuracy))
  const [xs, ys] = [store.series(of.address, 'x'), store.series(of.address, 'y')]
  const things = useMemo(() => {
    const { x, y } = numbersOf(reading)
    const made: MapThing[] = anchorsOf(places)
    if (x === undefined || y === undefined) return made
    const trail = {
      x: xs.view(reading.at - TRAIL_MS, reading.at),
      y: ys.view(reading.at - TRAIL_MS, reading.at),
    }
    const points = [...trail.x.values].map((one, index) => [one, trail.y.values[index] ?? y] as const)
    made.push({ kind: 'track', id: 'trail', name: words.map.trail, points })
    if (around !== undefined)
      made.push({
        kind: 'track',
        id: 'accuracy',
        name: words.map.accuracy,
        points: CIRCLE.map((angle) => [x + around * Math.cos(angle), y + around * Math.sin(angle)] as const),
      })
    made.push({ kind: 'point', id: 'here', name: of.label, x, y })
    return made
  }, [reading, places, around, xs, ys, of.label])
  return (
    <PlanMap
      label={label}
      things={things}
      reading={reading}
      {...(of.unit !== undefined && { unit: of.unit })}
    />
  )
})

function anchorsOf(reading: Reading): MapThing[] {
  const all = numbersOf(reading)
  return Object.entries(all).flatMap(([name, x]): readonly MapThing[] => {
    const id = /^(.+)_x$/.exec(name)?.[1]
    const y = all[`${id ?? ''}_y`]
    return id === undefined || y === undefined ? [] : [{ kind: 'anchor', id, name: id, x, y }]
  })
}
