import type { WatchdogStatus } from '@patchbay/contracts/gateway'

/** The status for a person who has never seen it. */
export function atAGlance(status: WatchdogStatus, url: string, now: Date): string {
  const { gateway, restarts, watchdog } = status
  const rows: [string, string][] = [
    ['gateway', `${status.state.toUpperCase()} at ${gateway.url}`],
    ['', status.detail],
    ['wanted', status.wanted],
    ['process', processOf(gateway, now)],
    ['last check', lastCheckOf(status, now)],
    [
      'restarts',
      `${status.restartCount} (${restarts.exited} after it went down, ${restarts.unhealthy} after failed checks, ${restarts.commanded} on command)`,
    ],
    ['auto-restart', status.autoRestart ? `on, after ${status.failuresBeforeRestart} failed checks` : 'off'],
    ...(status.retryAt === null ? [] : [['next start', away(status.retryAt, now)] as [string, string]]),
    ...(status.crashLoop
      ? [['crash loop', 'yes, until it was healthy for 10 minutes'] as [string, string]]
      : []),
    ...lastExitOf(status, now),
    ...orphanOf(status),
    ['watchdog', `pid ${watchdog.pid} at ${url}, started ${away(watchdog.startedAt, now)}`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/** Whether things are as they were asked to be; decides the exit code. */
export function isAsWanted({ state, wanted }: WatchdogStatus): boolean {
  return state === (wanted === 'running' ? 'healthy' : 'stopped')
}

function processOf({ pid, adopted, startedAt }: WatchdogStatus['gateway'], now: Date): string {
  if (pid === null) return 'none'
  const since = startedAt === null ? '' : `, started ${away(startedAt, now)}`
  return `pid ${pid}${since}${adopted ? ', adopted from an earlier watchdog' : ''}`
}

function lastCheckOf({ lastHealthCheck, consecutiveFailures }: WatchdogStatus, now: Date): string {
  if (lastHealthCheck === null) return 'none yet'
  const { at, ok, durationMs, reason } = lastHealthCheck
  if (ok) return `ok ${away(at, now)}, took ${durationMs} ms`
  const row = consecutiveFailures > 1 ? `, ${consecutiveFailures} in a row` : ''
  return `failed ${away(at, now)}${row}: ${reason ?? 'no reason known'}`
}

function lastExitOf({ lastExit }: WatchdogStatus, now: Date): [string, string][] {
  if (lastExit === null) return [['last exit', 'none known']]
  return [
    ['last exit', `${away(lastExit.at, now)}: ${lastExit.reason}`],
    ...lastExit.lastErrors.map((line): [string, string] => ['', `| ${line}`]),
  ]
}

function orphanOf({ orphan }: WatchdogStatus): [string, string][] {
  return orphan === null ? [] : [['pid file', `${orphan.outcome}: ${orphan.reason}`]]
}

const UNITS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]

/** "12 s ago" or "in 5 min". */
function away(at: string, now: Date): string {
  const seconds = Math.round((new Date(at).getTime() - now.getTime()) / 1000)
  const size = Math.abs(seconds)
  const [unit, length] = UNITS.find(([, one]) => size >= one) ?? ['s', 1]
  const amount = `${Math.round(size / length)} ${unit}`
  return seconds > 0 ? `in ${amount}` : `${amount} ago`
}
