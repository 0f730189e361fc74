import { UPDATE_TIME_PATTERN } from './patterns.ts'
import type { RepositoryResource } from './repository.ts'

const UPDATE_TIME = new RegExp(UPDATE_TIME_PATTERN)

/** How a moment is written in `update_time_utc`. */
export function formatUpdateTime(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * By how many seconds `update_time_utc` is ahead of `update_timestamp`: a whole number of hours when local time was
 * written instead of UTC. Undefined when there is nothing to compare; NaN when it is no date, such as February 30.
 */
export function updateTimeOffset(
  resource: Pick<RepositoryResource, 'update_timestamp' | 'update_time_utc'>,
): number | undefined {
  const { update_timestamp: timestamp, update_time_utc: text } = resource
  if (text === undefined || !UPDATE_TIME.test(text)) return undefined
  const seconds = Date.parse(`${text.replace(' ', 'T')}Z`) / 1000
  // Some engines roll February 30 over into March.
  if (Number.isNaN(seconds) || formatUpdateTime(seconds) !== text) return Number.NaN
  return seconds - timestamp
}
