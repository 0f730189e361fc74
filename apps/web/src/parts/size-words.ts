import { words } from './words.ts'

const UNITS = words.sizes.units

/** “1.8 MB”, as file managers say it. */
export function sizeInWords(bytes: number): string {
  if (bytes === 1) return words.sizes.one
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  const digits = unit === 0 || size >= 10 ? 0 : 1
  return `${size.toFixed(digits)} ${UNITS[unit]}`
}
