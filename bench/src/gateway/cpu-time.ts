import { cpuOf } from '../cpu.ts'

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
  const read = () => [pids.nodes.reduce((sum, pid) => sum + cpuOf(pid), 0), cpuOf(pids.redis)] as const
  const before = read()
  const result = await work()
  const after = read()
  const per = (index: 0 | 1) => ((after[index] - before[index]) * 1e6) / operations
  return { result, cpu: { nodes: per(0), redis: per(1) } }
}
