import { wide } from '../instrument-panel/arrange.tsx'
import type { Bound } from '../instrument-panel/bindings.ts'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import { lamp, number, slider } from '../instrument-panel/nodes.tsx'
import { plot, table } from '../instrument-panel/over-time.tsx'
import { words } from './words.ts'

export const temperatureGraph = instrumentPanel({
  kind: 'temperature-graph',
  binds: {
    temperatures: reads(/temperature|^temp$/, {
      deviceClass: 'temperature',
      platform: ['sensor'],
      units: ['°C', '°F', 'K'],
    }),
    alarmAbove: optional(commands(/^(alarm_above|alarm|threshold)$/, 'number', { units: ['°C', '°F', 'K'] })),
    alarm: optional(reads(/^alarm$/, { deviceClass: 'heat', platform: ['binary_sensor'] })),
  },
  view: (of) => [
    ...of.temperatures.map((temperature) => number(temperature)),
    plot(words.temperatures, of.temperatures, { seconds: 300, limits: [of.alarmAbove] }),
    lamp(of.alarm, words.alarm),
    slider(of.alarmAbove),
  ],
})

export const sensorMonitor = instrumentPanel({
  kind: 'sensor-monitor',
  binds: { sensors: reads(/./, { platform: ['sensor', 'binary_sensor', 'number'] }) },
  view: (of) => [
    wide(table(words.readings, of.sensors)),
    ...byUnit(of.sensors.filter(isNumeric)).map((alike) =>
      plot(alike.map(({ label }) => label).join(', '), alike, { seconds: 120 }),
    ),
  ],
})

/** Of one unit together: lines on scales of their own would cross where nothing meets. */
function byUnit(sensors: readonly Bound[]): readonly (readonly Bound[])[] {
  const units = [...new Set(sensors.map(({ unit }) => unit))]
  return units.map((unit) => sensors.filter((each) => each.unit === unit))
}

/** What is only told in words is no line of a plot. */
function isNumeric({ channel }: Bound): boolean {
  return channel?.platform !== 'binary_sensor' && channel?.deviceClass !== 'enum'
}
