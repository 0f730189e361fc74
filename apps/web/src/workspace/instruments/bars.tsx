import type { CSSProperties } from 'react'
import styles from './bars.module.css'
import { meterValues } from './gauge.tsx'
import { Instrument } from './instrument.tsx'
import { formatQuantity, numbersOf, type Reading } from './reading.ts'
import { words } from './words.ts'
import { meaningOf, type Range, shareOf, type Zone, zoneOf } from './zones.ts'

interface BarsProps {
  label: string
  /** An object or a list of numbers, such as the cells of a battery. */
  reading: Reading
  range: Range
  zones?: readonly Zone[]
  unit?: string
  precision?: number
  /** The names of a list's members; otherwise their places, from 1. */
  names?: readonly string[]
}

/** Numbers of one kind beside each other, each with its name and its bar. */
export function Bars({ label, reading, range, zones = [], unit, precision, names = [] }: BarsProps) {
  const isList = Array.isArray(reading.value)
  const members = Object.entries(numbersOf(reading))
  return (
    <Instrument label={label} reading={reading}>
      {members.length === 0 && <p className={styles.nothing}>{words.dash}</p>}
      <div className={styles.bars}>
        {members.map(([member, value]) => {
          const name = isList ? (names[Number(member)] ?? String(Number(member) + 1)) : member
          const meaning = meaningOf(value, range, zones)
          const about = { unit, precision, meaning }
          const length = { '--length': `${shareOf(value, range) * 100}%` } as CSSProperties
          return (
            <div key={member} className={styles.row}>
              <span className={styles.name}>{name}</span>
              <div {...meterValues(`${label}: ${name}`, value, reading, range, about)} className={styles.bar}>
                <div className={styles.fill} data-tone={zoneOf(value, zones)?.tone} style={length} />
              </div>
              <span className={styles.value}>{formatQuantity(value, unit, precision)}</span>
            </div>
          )
        })}
      </div>
    </Instrument>
  )
}
