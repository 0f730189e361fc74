import { barPlot, panel } from '../plot.ts'
import {
  atLeast,
  type Bench,
  judge,
  medianOf,
  missedGoals,
  named,
  type Series,
  series,
  spreadOf,
  strongRatio,
  table,
  thousands,
} from '../report.ts'
import { type Figures, measureDevices, NUMBERS, type Sizes, VALUES } from './measure.ts'

const GOAL = atLeast(0.6)

/** What keeping the values of devices costs against bare COPY and a bare MCAP writer. */
export const devices: Bench<Sizes, Figures> = {
  full: { devices: 100, channels: 50, seconds: 10, rounds: 3 },
  smoke: { devices: 10, channels: 10, seconds: 3, rounds: 1 },

  measure: measureDevices,

  report({ numbers, values }, { devices: count, channels }) {
    const rows = series('rows a second', numbers, (perSecond) => perSecond, thousands, GOAL)
    const all = series('values a second', values, (perSecond) => perSecond, thousands, GOAL)
    const verdict = <Name extends string>(row: Series<Name>, ours: Name, theirs: Name) =>
      judge(row.ratio(ours, theirs), GOAL)
    return {
      parts: {
        sizes: `${count} devices with ${channels} channels each`,
        numbers: table(
          [rows],
          [
            ['', named],
            ['COPY', medianOf('copy')],
            ['`INSERT … unnest`', medianOf('unnest')],
            ['recorder', medianOf('recorder')],
            ['`unnest` / COPY', strongRatio('unnest', 'copy')],
            ['recorder / COPY', strongRatio('recorder', 'copy')],
            ['in single rounds', spreadOf('recorder', 'copy')],
            ['goal', (row) => verdict(row, 'recorder', 'copy')],
          ],
        ),
        values: table(
          [all],
          [
            ['', named],
            ['`McapWriter`', medianOf('writer')],
            ['recorder', medianOf('recorder')],
            ['recorder / writer', strongRatio('recorder', 'writer')],
            ['in single rounds', spreadOf('recorder', 'writer')],
            ['goal', (row) => verdict(row, 'recorder', 'writer')],
          ],
        ),
        missed: missedGoals([
          ['numbers', rows.ratio('recorder', 'copy'), GOAL],
          ['values', all.ratio('recorder', 'writer'), GOAL],
        ]),
      },
      plots: {
        'devices-recording.svg': barPlot(
          'Recording',
          ['COPY', 'INSERT … unnest', 'recorder'],
          [panel('Rows a second', rows, NUMBERS, ['recorder', 'copy'])],
        ),
        'devices-values.svg': barPlot(
          'Every value',
          ['McapWriter', 'recorder'],
          [panel('Values a second', all, VALUES, ['recorder', 'writer'])],
        ),
      },
    }
  },
}
