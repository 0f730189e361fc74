import { readFile } from 'node:fs/promises'

const TICKS_PER_SECOND = 100

/** CPU time that a process has taken so far, all of its threads. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function cpuSecondsOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(cpuSeconds))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

export interface CpuCost {
  /** Of both nodes together. */
  readonly nodes: number
  readonly redis: number
}

/** What some work costs the nodes and Redis, in microseconds per operation. */
export async function measureCpu<T>(
  pids: { readonly nodes: readonly number[]; readonly redis: number },
  operations: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpu: CpuCost }> {
  const read = () => Promise.all([cpuSecondsOf(pids.nodes), cpuSecondsOf([pids.redis])])
  const before = await read()
  const result = await work()
  const after = await read()
  const per = (index: 0 | 1) => ((after[index] - before[index]) * 1e6) / operations
  return { result, cpu: { nodes: per(0), redis: per(1) } }
}
