import { readProcessStat } from '@patchbay/primitives/process'
import { childrenOf } from '@patchbay/testkit/postgres-family'

const TICKS_PER_SECOND = 100

/** Seconds of CPU time of one process so far, all of its threads. */
export function cpuOf(pid: number): number {
  return (readProcessStat(pid)?.cpuTicks ?? 0) / TICKS_PER_SECOND
}

/** The same of its children that have ended. */
export function cpuOfEnded(pid: number): number {
  return (readProcessStat(pid)?.endedChildrenCpuTicks ?? 0) / TICKS_PER_SECOND
}

/** The same of PostgreSQL: the postmaster, its backends, and those that have left. */
export function cpuOfPostgres(postmaster: number): number {
  return childrenOf(postmaster).reduce(
    (sum, pid) => sum + cpuOf(pid),
    cpuOf(postmaster) + cpuOfEnded(postmaster),
  )
}
