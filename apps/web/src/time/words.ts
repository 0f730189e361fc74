const UNITS = [
  { unit: 'year', seconds: 365 * 86_400 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const

/** A length of time as people say it: “90 days”, “1 hour 30 minutes”. */
export function durationInWords(seconds: number): string {
  const first = UNITS.find((unit) => seconds >= unit.seconds) ?? { unit: 'second', seconds: 1 }
  const count = Math.floor(seconds / first.seconds)
  const rest = seconds - count * first.seconds
  const next = UNITS[UNITS.findIndex(({ unit }) => unit === first.unit) + 1]
  const words = countOf(count, first.unit)
  if (next === undefined || rest < next.seconds) return words
  return `${words} ${countOf(Math.floor(rest / next.seconds), next.unit)}`
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** How long ago, or how far ahead: “3 minutes ago”, “in 89 days”. */
export function distanceInWords(from: Date, now: Date): string {
  const seconds = (from.getTime() - now.getTime()) / 1000
  const size = Math.abs(seconds)
  if (size < 60) return 'just now'
  const { unit, seconds: length } = UNITS.find((entry) => size >= entry.seconds) ?? UNITS[4]
  // Behind us it counts what has passed; ahead, a whole life of 90 days is not 89 because a second of it is over.
  const count = seconds / length
  return relative.format(count < 0 ? Math.trunc(count) : Math.round(count), unit)
}
