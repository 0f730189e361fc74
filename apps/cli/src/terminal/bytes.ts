const UNITS = ['kB', 'MB', 'GB', 'TB'] as const
const STEP = 1000

/** `532 bytes`, `1.2 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < STEP) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  let value = bytes / STEP
  let unit = 0
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP
    unit += 1
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}
