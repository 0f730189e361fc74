import { classes } from '../../components/classes.ts'
import styles from './data-table.module.css'
import { Instrument, StateMark } from './instrument.tsx'
import { formatNumber, numberOf, type Reading } from './reading.ts'
import { words } from './words.ts'

export interface DataRow {
  readonly id: string
  readonly name: string
  readonly reading: Reading
  readonly unit?: string
  readonly precision?: number
}

interface DataTableProps {
  label: string
  rows: readonly DataRow[]
}

/** Values with their names and units. Each row tells for itself whether it is live. */
export function DataTable({ label, rows }: DataTableProps) {
  const hasUnits = rows.some(({ unit }) => unit !== undefined && unit !== '')
  return (
    <Instrument label={label}>
      <table aria-label={label} className={classes(styles.table)}>
        <thead>
          <tr>
            <th scope="col">{words.table.name}</th>
            <th scope="col" data-align="end">
              {words.table.value}
            </th>
            {hasUnits && <th scope="col">{words.table.unit}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={3}>{words.table.empty}</td>
            </tr>
          )}
          {rows.map(({ id, name, reading, unit, precision }) => (
            <tr key={id} data-state={reading.state}>
              <th scope="row">
                {name}
                <StateMark reading={reading} />
              </th>
              <td data-align="end" data-number={numberOf(reading) !== undefined} className={styles.value}>
                {valueInWords(reading, precision)}
              </td>
              {hasUnits && <td className={styles.unit}>{unit ?? ''}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Instrument>
  )
}

function valueInWords(reading: Reading, precision: number | undefined): string {
  const number = numberOf(reading)
  if (number !== undefined) return formatNumber(number, precision)
  if (reading.state === 'none' || reading.value === null) return words.dash
  if (typeof reading.value === 'boolean') return reading.value ? words.toggle.on : words.toggle.off
  return typeof reading.value === 'string' ? reading.value : JSON.stringify(reading.value)
}
