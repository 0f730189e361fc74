import type { CSSProperties } from 'react'
import { meterValues } from './gauge.tsx'
import { Instrument, Value } from './instrument.tsx'
import styles from './level.module.css'
import { formatNumber, numberOf, type Reading } from './reading.ts'
import { filledTo, meaningOf, type Range, shareOf, type Zone, zoneOf } from './zones.ts'

interface LevelProps {
  label: string
  reading: Reading
  range: Range
  zones?: readonly Zone[]
  unit?: string
  precision?: number
  isVertical?: boolean
}

/** A value as a bar, such as a charge or a filling. */
export function Level({
  label,
  reading,
  range,
  zones = [],
  unit,
  precision,
  isVertical = false,
}: LevelProps) {
  const value = numberOf(reading)
  const meaning = value === undefined ? undefined : meaningOf(value, range, zones)
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.level} data-vertical={isVertical}>
        <div className={styles.scale}>
          <div
            {...meterValues(label, value, reading, range, { unit, precision, meaning })}
            className={styles.bar}
          >
            {value !== undefined && (
              <div
                className={styles.fill}
                data-tone={zoneOf(value, zones)?.tone}
                style={placed(...filledTo(value, range))}
              />
            )}
          </div>
          <div className={styles.zones} aria-hidden="true">
            {zones.map(({ from, to, tone }) => (
              <div
                key={`${from} ${to}`}
                className={styles.zone}
                data-tone={tone}
                style={placed(shareOf(from, range), shareOf(to, range))}
              />
            ))}
          </div>
          <div className={styles.ends} aria-hidden="true">
            <span>{formatNumber(range.min)}</span>
            <span>{formatNumber(range.max)}</span>
          </div>
        </div>
        <div className={styles.words}>
          <Value unit={unit}>{value === undefined ? undefined : formatNumber(value, precision)}</Value>
          {meaning !== undefined && <span className={styles.meaning}>{meaning}</span>}
        </div>
      </div>
    </Instrument>
  )
}

function placed(from: number, to: number): CSSProperties {
  return { '--from': `${from * 100}%`, '--length': `${(to - from) * 100}%` } as CSSProperties
}
