import type { RepositoryResource } from '../repository.ts'
import { formatUpdateTime, updateTimeOffset } from '../update-time.ts'
import { errorsOf } from './compiled.ts'
import { isTooDeep } from './depth.ts'
import { explain } from './explain.ts'
import type { Finding, ValidateOptions } from './finding.ts'
import { MAX_FINDINGS, TOO_DEEP } from './package-faults.ts'
import { pruneEntries } from './prune.ts'
import { show } from './show.ts'

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

const FILES = ['packages', 'resources', 'manifests'] as const

/** What is wrong with a repository's own file. The list that it names is another document. */
export function findRepositoryFaults(value: unknown, options: ValidateOptions = {}): Finding[] {
  if (isTooDeep(value)) return [TOO_DEEP]
  const errors = errorsOf('Repository', pruneEntries(value), options).map(explain)
  return [...errors, ...findWrongTimes(value)].slice(0, MAX_FINDINGS)
}

function findWrongTimes(value: unknown): Finding[] {
  if (typeof value !== 'object' || value === null) return []
  const files = value as Readonly<Record<string, Partial<RepositoryResource> | null | undefined>>
  return FILES.flatMap((name): Finding[] => {
    const { update_timestamp: timestamp, update_time_utc: text } = files[name] ?? {}
    if (!Number.isSafeInteger(timestamp) || timestamp === undefined || typeof text !== 'string') return []
    const offset = updateTimeOffset({ update_timestamp: timestamp, update_time_utc: text })
    if (offset === undefined || offset === 0) return []
    const message = `${show(text)} ${explainOffset(offset, timestamp)}`
    return [{ pointer: `/${name}/update_time_utc`, message, severity: 'warning', code: 'update_time' }]
  })
}

function explainOffset(offset: number, timestamp: number): string {
  if (Number.isNaN(offset)) return 'is no date of the calendar'
  if (Math.abs(timestamp) > LAST_SECOND)
    return `cannot be right: update_timestamp ${timestamp} is beyond the year 9999; are these milliseconds?`
  const truth = `update_timestamp ${timestamp} is ${formatUpdateTime(timestamp)} UTC`
  const difference = `${durationOf(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
  return `is ${difference}: ${truth}${isZone(offset) ? ', as if local time had been written' : ''}`
}

/** Time zones are quarters of an hour apart, and within 14 hours of UTC. */
function isZone(offset: number): boolean {
  return offset % 900 === 0 && Math.abs(offset) <= 14 * 3600
}

function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
