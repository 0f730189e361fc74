import { type Column, table } from '../report.ts'
import { OPERATIONS, type Operation } from './costs.ts'
import { type Estimate, estimate, SPENDERS } from './estimate.ts'

const EXAMPLES = [100, 10_000, 1_000_000] as const

/** What stands between the marks of `docs/scale/people.md`. */
export function scaleParts(): Readonly<Record<string, string>> {
  const estimates = EXAMPLES.map(estimate)
  return {
    costs: table(OPERATIONS, COST_COLUMNS),
    examples: table(ROWS, [
      ['at the busiest hour', ([name]) => name],
      ...estimates.map(
        (each): Column<(typeof ROWS)[number]> => [
          `${each.users.toLocaleString('en')} people a day`,
          ([, of]) => of(each),
        ],
      ),
    ]),
    rates: table(OPERATIONS, [
      ['a second, at the busiest hour', ({ name }) => name],
      ...estimates.map(
        ({ users, rates }): Column<Operation> => [
          users.toLocaleString('en'),
          (operation) => rounded(rates[OPERATIONS.indexOf(operation)]?.perSecond ?? 0),
        ],
      ),
    ]),
    heaviest: (estimates.at(-1)?.heaviest ?? [])
      .map(({ name, share }) => `${name} (${Math.round(share * 100)} %)`)
      .join(', '),
  }
}

const COST_COLUMNS: readonly Column<Operation>[] = [
  ['operation', ({ name }) => name],
  ['a person, a day', ({ perDay }) => perDay.toLocaleString('en')],
  ...SPENDERS.map((spender): Column<Operation> => [spender, ({ cost }) => microseconds(cost[spender])]),
  ['the figure is', ({ source }) => source],
  ['from', ({ from }) => from],
]

const ROWS: readonly (readonly [string, (estimate: Estimate) => string])[] = [
  ['open workspaces', ({ openWorkspaces }) => openWorkspaces.toLocaleString('en')],
  ['cores of server nodes', ({ cores }) => inCores(cores.node)],
  ['server nodes', ({ processes }) => processes.node.toLocaleString('en')],
  ['their memory', ({ nodeMemoryMib }) => `${rounded(nodeMemoryMib / 1_024)} GiB`],
  ['cores of PostgreSQL', ({ cores }) => inCores(cores.postgres)],
  ['cores of Redis', ({ cores }) => inCores(cores.redis)],
  ['cores of gateways', ({ cores }) => inCores(cores.gateway)],
  ['cores of proxies', ({ cores }) => inCores(cores.proxy)],
  ['cores of KiCad workers', ({ cores }) => inCores(cores.worker)],
  ['KiCad workers', ({ processes }) => processes.worker.toLocaleString('en')],
]

function microseconds(cost: number | undefined): string {
  if (cost === undefined) return ''
  return cost >= 1_000 ? `${(cost / 1_000).toLocaleString('en')} ms` : `${cost} µs`
}

const inCores = (cores: number) => (cores < 0.01 ? 'next to none' : rounded(cores))

/** Two digits that count: an estimate has no more. */
function rounded(value: number): string {
  return value === 0 ? '0' : Number(value.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 6 })
}
