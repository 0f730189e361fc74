import styles from './gauge.module.css'
import { Instrument, Value } from './instrument.tsx'
import { formatNumber, formatQuantity, numberOf, type Reading } from './reading.ts'
import { words } from './words.ts'
import { filledTo, meaningOf, type Range, shareOf, type Zone, zoneOf } from './zones.ts'

interface GaugeProps {
  label: string
  reading: Reading
  range: Range
  zones?: readonly Zone[]
  unit?: string
  precision?: number
}

/** The arc is open at the bottom. */
const FROM_DEGREES = -120
const SWEEP_DEGREES = 240
const CENTER = 60

/** A value on an arc between two ends. */
export function Gauge({ label, reading, range, zones = [], unit, precision }: GaugeProps) {
  const value = numberOf(reading)
  const meaning = value === undefined ? undefined : meaningOf(value, range, zones)
  return (
    <Instrument label={label} reading={reading}>
      <div
        {...meterValues(label, value, reading, range, { unit, precision, meaning })}
        className={styles.gauge}
      >
        <svg viewBox="0 0 120 96" aria-hidden="true" className={styles.picture}>
          <path d={arc(0, 1, 46)} className={styles.track} />
          {zones.map(({ from, to, tone }) => (
            <path
              key={`${from} ${to}`}
              d={arc(shareOf(from, range), shareOf(to, range), 55)}
              className={styles.zone}
              data-tone={tone}
            />
          ))}
          {value !== undefined && (
            <>
              <path
                d={arc(...filledTo(value, range), 46)}
                className={styles.fill}
                data-tone={zoneOf(value, zones)?.tone}
              />
              <path d={needle(shareOf(value, range))} className={styles.needle} />
            </>
          )}
          <text x="18" y="95" className={styles.end}>
            {formatNumber(range.min)}
          </text>
          <text x="102" y="95" className={styles.end}>
            {formatNumber(range.max)}
          </text>
        </svg>
        <div className={styles.reading}>
          <Value unit={unit}>{value === undefined ? undefined : formatNumber(value, precision)}</Value>
        </div>
      </div>
      {meaning !== undefined && <p className={styles.meaning}>{meaning}</p>}
    </Instrument>
  )
}

interface MeterWords {
  unit?: string | undefined
  precision?: number | undefined
  meaning: string | undefined
}

/** What a screen reader says of a meter, also of one whose value is old. */
export function meterValues(
  label: string,
  value: number | undefined,
  reading: Reading,
  range: Range,
  about: MeterWords,
) {
  const text =
    value === undefined
      ? words.none
      : [formatQuantity(value, about.unit, about.precision), about.meaning, words.stateNames[reading.state]]
          .filter(Boolean)
          .join(', ')
  return {
    role: 'meter',
    'aria-label': label,
    'aria-valuemin': range.min,
    'aria-valuemax': range.max,
    // The role wants a number, also where there is none: the text says so.
    'aria-valuenow': Math.min(range.max, Math.max(range.min, value ?? range.min)),
    'aria-valuetext': text,
  }
}

function placeAt(share: number, radius: number): readonly [number, number] {
  const angle = ((FROM_DEGREES + SWEEP_DEGREES * share - 90) * Math.PI) / 180
  return [round(CENTER + radius * Math.cos(angle)), round(CENTER + radius * Math.sin(angle))]
}

function arc(from: number, to: number, radius: number): string {
  const isLong = (to - from) * SWEEP_DEGREES > 180
  return `M ${placeAt(from, radius).join(' ')} A ${radius} ${radius} 0 ${isLong ? 1 : 0} 1 ${placeAt(to, radius).join(' ')}`
}

function needle(share: number): string {
  return `M ${placeAt(share, 38).join(' ')} L ${placeAt(share, 54).join(' ')}`
}

const round = (value: number) => Math.round(value * 100) / 100
