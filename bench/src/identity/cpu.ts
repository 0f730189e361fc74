import { readFile } from 'node:fs/promises'
import { childrenOf } from '@patchbay/testkit/postgres-family'

const TICKS_PER_SECOND = 100

async function fieldsOf(pid: number): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const seconds = (...ticks: readonly (string | undefined)[]) =>
  ticks.reduce((sum, tick) => sum + Number(tick ?? 0), 0) / TICKS_PER_SECOND

/** CPU time of one process so far, all of its threads. */
export async function cpuOf(pid: number): Promise<number> {
  const fields = await fieldsOf(pid)
  return seconds(fields[11], fields[12])
}

/** CPU time of children that have ended. */
export async function cpuOfEnded(pid: number): Promise<number> {
  const fields = await fieldsOf(pid)
  return seconds(fields[13], fields[14])
}

/** CPU time of PostgreSQL: the postmaster, its backends, and those that have left. */
export async function cpuOfPostgres(postmaster: number): Promise<number> {
  const own = await Promise.all([cpuOf(postmaster), cpuOfEnded(postmaster)])
  const children = await Promise.all(childrenOf(postmaster).map(cpuOf))
  return [...own, ...children].reduce((sum, each) => sum + each, 0)
}
