import { useState } from 'react'
import { Button } from '../components/button.tsx'
import type { ReadingState } from '../workspace/instruments/reading.ts'
import { SeriesBuffer } from '../workspace/instruments/series-buffer.ts'
import { TimePlot } from '../workspace/instruments/time-plot.tsx'
import type { PlotSeries, Threshold } from '../workspace/instruments/use-plot.ts'
import { Row, Specimen } from './specimen.tsx'

const START = new Date(2026, 4, 12, 14, 2, 0).getTime()
const COUNT = 600

function waves(): readonly [readonly PlotSeries[], readonly PlotSeries[]] {
  const buffers = [new SeriesBuffer(2_000), new SeriesBuffer(2_000), new SeriesBuffer(2_000)]
  const [motor, board, current] = buffers
  if (motor === undefined || board === undefined || current === undefined) return [[], []]
  append(buffers, 0, COUNT)
  return [
    [
      { id: 'motor', name: 'Motor', unit: '°C', precision: 1, buffer: motor },
      { id: 'board', name: 'Board', unit: '°C', precision: 1, buffer: board },
      { id: 'current', name: 'Current', unit: 'A', precision: 2, buffer: current },
    ],
    [{ id: 'current', name: 'Current', unit: 'A', precision: 2, buffer: current }],
  ]
}

function append(buffers: readonly SeriesBuffer[], from: number, to: number): void {
  for (let index = from; index < to; index += 1) {
    const at = START + index * 100
    buffers[0]?.append(at, 48 + 18 * Math.sin(index / 60) + Math.sin(index * 1.7))
    buffers[1]?.append(at, 33 + 4 * Math.sin(index / 110 + 1))
    buffers[2]?.append(at, 1.6 + 0.9 * Math.cos(index / 35))
  }
}

const LIMITS: readonly Threshold[] = [
  { value: 60, label: 'Warm', tone: 'warning' },
  { value: 75, label: 'Shutdown', tone: 'danger' },
]
const EMPTY: readonly PlotSeries[] = [
  { id: 'none', name: 'Humidity', unit: '%', buffer: new SeriesBuffer(10) },
]

export function PlotSpecimens({ state }: { state: ReadingState }) {
  const [[both, one]] = useState(waves)
  const [count, setCount] = useState(COUNT)
  const reading = { at: START + (count - 1) * 100, state }
  const isEmpty = state === 'none'
  return (
    <Specimen name="Time plot" use="Values over time. All plots of a page share one cursor.">
      <TimePlot
        label="Temperatures"
        series={isEmpty ? EMPTY : both}
        thresholds={LIMITS}
        spanMs={30_000}
        reading={reading}
      />
      <TimePlot label="Motor current" series={isEmpty ? EMPTY : one} spanMs={30_000} reading={reading} />
      <Row>
        <Button
          onPress={() => {
            append(
              both.map(({ buffer }) => buffer),
              count,
              count + 50,
            )
            setCount(count + 50)
          }}
        >
          Add five seconds
        </Button>
      </Row>
    </Specimen>
  )
}
