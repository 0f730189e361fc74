import type { CSSProperties } from 'react'
import styles from './heat-map.module.css'
import { Instrument } from './instrument.tsx'
import { formatNumber, formatQuantity, type Reading } from './reading.ts'
import { words } from './words.ts'
import { type Range, shareOf } from './zones.ts'

interface HeatMapProps {
  label: string
  /** Rows of numbers, all of one length. */
  reading: Reading
  /** Of the color scale; without it, from the lowest to the highest number. */
  range?: Range
  unit?: string
  precision?: number
}

/** In wider grids a number would be smaller than can be read: the colors stay, and the numbers for screen readers. */
const MOST_SHOWN_COLUMNS = 16

/** A grid of numbers with a color for each, such as the picture of a thermal sensor. */
export function HeatMap({ label, reading, range, unit, precision = 0 }: HeatMapProps) {
  const grid = reading.value === null ? [] : gridOf(reading.value)
  const columns = grid?.[0]?.length ?? 0
  if (grid === undefined || columns === 0)
    return (
      <Instrument label={label} reading={reading}>
        <p className={styles.nothing}>{grid === undefined ? words.heat.wrong : words.dash}</p>
      </Instrument>
    )
  const all = grid.flat()
  const lowest = all.reduce((least, one) => Math.min(least, one), Infinity)
  const highest = all.reduce((most, one) => Math.max(most, one), -Infinity)
  const scale = range ?? { min: lowest, max: highest }
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.frame}>
        <table
          aria-label={label}
          className={styles.grid}
          data-numbers={columns <= MOST_SHOWN_COLUMNS}
          style={{ '--columns': columns } as CSSProperties}
        >
          <thead className={styles.hidden}>
            <tr>
              <th scope="col">{words.heat.corner}</th>
              {grid[0]?.map((_, index) => (
                <th key={words.heat.column(index)} scope="col">
                  {words.heat.column(index + 1)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.map((row, place) => (
              <tr key={words.heat.row(place)}>
                <th scope="row" className={styles.hidden}>
                  {words.heat.row(place + 1)}
                </th>
                {row.map((value, index) => (
                  <td
                    key={words.heat.column(index)}
                    title={formatQuantity(value, unit, precision)}
                    style={lookOf(shareOf(value, scale))}
                  >
                    <span>{formatNumber(value, precision)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <div aria-hidden="true" className={styles.legend}>
          <span>{formatQuantity(scale.min, unit, precision)}</span>
          <span className={styles.scale} style={{ backgroundImage: GRADIENT }} />
          <span>{formatQuantity(scale.max, unit, precision)}</span>
        </div>
        <p className={styles.ends}>
          {words.heat.ends(formatQuantity(lowest, unit, precision), formatQuantity(highest, unit, precision))}
        </p>
      </div>
    </Instrument>
  )
}

function gridOf(value: Reading['value']): readonly number[][] | undefined {
  if (!Array.isArray(value)) return undefined
  const rows = value as readonly unknown[]
  const width = Array.isArray(rows[0]) ? rows[0].length : 0
  const isRow = (row: unknown): row is number[] =>
    Array.isArray(row) && row.length === width && row.every((one) => Number.isFinite(one))
  return rows.every(isRow) ? rows : undefined
}

/** Viridis: it grows lighter all along, so that it tells the same without its hues. */
const STOPS = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
] as const
const GRADIENT = `linear-gradient(to right, ${STOPS.map((rgb) => `rgb(${rgb.join(' ')})`).join(', ')})`

function lookOf(share: number): CSSProperties {
  const place = share * (STOPS.length - 1)
  const from = STOPS[Math.floor(place)] ?? STOPS[0]
  const to = STOPS[Math.ceil(place)] ?? from
  const rest = place % 1
  const rgb = from.map((one, index) => Math.round(one + ((to[index] ?? one) - one) * rest))
  return { backgroundColor: `rgb(${rgb.join(' ')})`, color: isLight(rgb) ? '#000' : '#fff' }
}

/** By relative luminance, where black and white text are equally easy to read. */
function isLight(rgb: readonly number[]): boolean {
  const [red = 0, green = 0, blue = 0] = rgb.map((one) => {
    const part = one / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179
}
