import { Instrument, Value } from './instrument.tsx'
import { formatNumber, numberOf, type Reading } from './reading.ts'

interface NumberReadoutProps {
  label: string
  reading: Reading
  unit?: string
  precision?: number
}

/** One number, large. Text that a device reports in its place is shown as it is. */
export function NumberReadout({ label, reading, unit, precision }: NumberReadoutProps) {
  const value = numberOf(reading)
  const text =
    value !== undefined
      ? formatNumber(value, precision)
      : reading.state !== 'none' && typeof reading.value === 'string' && reading.value !== ''
        ? reading.value
        : undefined
  return (
    <Instrument label={label} reading={reading}>
      <Value unit={value === undefined ? undefined : unit}>{text}</Value>
    </Instrument>
  )
}
