import { Bars } from '../workspace/instruments/bars.tsx'
import { DataTable } from '../workspace/instruments/data-table.tsx'
import { Gauge } from '../workspace/instruments/gauge.tsx'
import { HeatMap } from '../workspace/instruments/heat-map.tsx'
import { Level } from '../workspace/instruments/level.tsx'
import { NumberReadout } from '../workspace/instruments/number-readout.tsx'
import { NO_READING, type Reading, type ReadingState } from '../workspace/instruments/reading.ts'
import { StatusLamp } from '../workspace/instruments/status-lamp.tsx'
import type { Zone } from '../workspace/instruments/zones.ts'
import { Columns, Specimen } from './specimen.tsx'

const AT = new Date(2026, 4, 12, 14, 3, 7).getTime()
const readingOf = (value: Reading['value'], state: ReadingState): Reading =>
  state === 'none' ? NO_READING : { value, at: AT, state }
const ZONES: readonly Zone[] = [
  { from: 0, to: 60, tone: 'ok' },
  { from: 60, to: 80, tone: 'warning' },
  { from: 80, to: 100, tone: 'danger', name: 'Too hot' },
]
const CHARGE: readonly Zone[] = [
  { from: 0, to: 15, tone: 'danger', name: 'Almost empty' },
  { from: 15, to: 30, tone: 'warning', name: 'Low' },
]
const LAMP_STATES = [
  { value: true, label: 'Motor runs', tone: 'ok' },
  { value: false, label: 'Motor stands', tone: 'off' },
  { value: 'jam', label: 'Motor is jammed', tone: 'danger' },
] as const
const THERMAL = Array.from({ length: 8 }, (_, row) =>
  Array.from({ length: 8 }, (__, column) => 21 + 14 * Math.exp(-((row - 3) ** 2 + (column - 5) ** 2) / 6)),
)

export function ReadingSpecimens({ state }: { state: ReadingState }) {
  return (
    <>
      <Specimen name="Gauge" use="A value between two ends that people know.">
        <Columns>
          <Gauge
            label="Motor temperature"
            reading={readingOf(71.4, state)}
            range={{ min: 0, max: 100 }}
            zones={ZONES}
            unit="°C"
            precision={1}
          />
          <Gauge label="Speed" reading={readingOf(1420, state)} range={{ min: 0, max: 1200 }} unit="rpm" />
        </Columns>
      </Specimen>
      <Specimen name="Bars" use="Numbers of one kind beside each other.">
        <Columns>
          <Bars
            label="Cells"
            reading={readingOf([3.91, 3.88, 3.9], state)}
            range={{ min: 3, max: 4.2 }}
            unit="V"
            precision={2}
          />
          <Bars
            label="Tasks"
            reading={readingOf({ control: 42, radio: 18, idle: 40 }, state)}
            range={{ min: 0, max: 100 }}
            unit="%"
          />
        </Columns>
      </Specimen>
      <Specimen name="Number readout" use="One number that matters.">
        <Columns>
          <NumberReadout label="Supply voltage" reading={readingOf(12.062, state)} unit="V" precision={2} />
          <NumberReadout label="Firmware" reading={readingOf('1.4.2-rc.1', state)} />
        </Columns>
      </Specimen>
      <Specimen name="Level" use="How full something is.">
        <Columns>
          <Level
            label="Battery"
            reading={readingOf(24, state)}
            range={{ min: 0, max: 100 }}
            zones={CHARGE}
            unit="%"
          />
          <Level
            label="Water tank"
            reading={readingOf(3.6, state)}
            range={{ min: 0, max: 5 }}
            unit="l"
            precision={1}
            isVertical
          />
        </Columns>
      </Specimen>
      <Specimen name="Status lamp" use="One of a few states, each with its word.">
        <Columns>
          <StatusLamp label="Motor" reading={readingOf(true, state)} states={LAMP_STATES} />
          <StatusLamp label="Second motor" reading={readingOf('jam', state)} states={LAMP_STATES} />
          <StatusLamp label="Third motor" reading={readingOf('lost', state)} states={LAMP_STATES} />
        </Columns>
      </Specimen>
      <Specimen name="Data table" use="Many values; each row tells whether it is live.">
        <DataTable
          label="Power board"
          rows={[
            { id: 'voltage', name: 'Voltage', reading: readingOf(12.06, state), unit: 'V', precision: 2 },
            { id: 'current', name: 'Current', reading: readingOf(0.482, state), unit: 'A', precision: 3 },
            { id: 'fan', name: 'Fan', reading: readingOf(true, state) },
            { id: 'humidity', name: 'Humidity', reading: readingOf(48, 'stale'), unit: '%' },
            { id: 'pressure', name: 'Pressure', reading: NO_READING, unit: 'hPa' },
          ]}
        />
      </Specimen>
      <Specimen name="Heat map" use="A grid of numbers, such as a thermal picture.">
        <HeatMap label="Thermal sensor" reading={readingOf(THERMAL, state)} unit="°C" precision={1} />
      </Specimen>
    </>
  )
}
