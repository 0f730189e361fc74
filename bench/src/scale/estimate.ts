import { type Cost, NODE_BASE_MIB, OPEN_WORKSPACE, OPERATIONS, PEAK, WELL_USED } from './costs.ts'

const DAY_SECONDS = 86_400
export const SPENDERS = ['node', 'gateway', 'postgres', 'redis', 'proxy', 'worker'] as const
export type Spender = (typeof SPENDERS)[number]

export interface Estimate {
  readonly users: number
  /** A second, at the busiest hour. */
  readonly rates: readonly { readonly name: string; readonly perSecond: number; readonly cost: Cost }[]
  /** Cores at the busiest hour. */
  readonly cores: Readonly<Record<Spender, number>>
  /** Processes of one core each, used as well as they may be. */
  readonly processes: Readonly<Record<'node' | 'gateway' | 'worker', number>>
  readonly openWorkspaces: number
  readonly nodeMemoryMib: number
  /** What spends the most of PostgreSQL, the largest first. */
  readonly heaviest: readonly { readonly name: string; readonly share: number }[]
}

/** What so many people need who come on one day. */
export function estimate(users: number): Estimate {
  const rates = OPERATIONS.map(({ name, perDay, cost }) => ({
    name,
    perSecond: (users * perDay * PEAK) / DAY_SECONDS,
    cost,
  }))
  const coresOf = (spender: Spender) =>
    rates.reduce((sum, { perSecond, cost }) => sum + (perSecond * (cost[spender] ?? 0)) / 1e6, 0)
  const cores = Object.fromEntries(SPENDERS.map((spender) => [spender, coresOf(spender)])) as Record<
    Spender,
    number
  >
  const processesFor = (spender: Spender) => Math.max(1, Math.ceil(cores[spender] / WELL_USED))
  const processes = {
    node: processesFor('node'),
    gateway: processesFor('gateway'),
    worker: processesFor('worker'),
  }
  const openWorkspaces = Math.round(users * OPEN_WORKSPACE.share)
  return {
    users,
    rates,
    cores,
    processes,
    openWorkspaces,
    nodeMemoryMib: processes.node * NODE_BASE_MIB + (openWorkspaces * OPEN_WORKSPACE.nodeKib) / 1_024,
    heaviest: rates
      .map(({ name, perSecond, cost }) => ({
        name,
        share: (perSecond * (cost.postgres ?? 0)) / 1e6 / cores.postgres,
      }))
      .toSorted((one, other) => other.share - one.share)
      .slice(0, 3),
  }
}
