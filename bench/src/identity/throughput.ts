import { childrenOf } from '@patchbay/testkit/postgres-family'
import { waitUntil } from '@patchbay/testkit/processes'
import { inTurns, type Rounds } from '../gateway/turns.ts'
import { startWorker, type Worker } from '../gateway/worker.ts'
import { cpuOf, cpuOfEnded, cpuOfPostgres } from '../cpu.ts'
import type { IntentRange } from './intents.ts'
import { EXPRESSIONS, HTTP, OPERATIONS, type OperationName } from './operations.ts'
import type { PgLoop } from './pg-loop.ts'
import { runPgbench } from './pgbench.ts'
import { askOnce, recordOperations } from './recorded-operations.ts'
import { CONNECTIONS, type Rig } from './rig.ts'
import { HTTP_CONNECTIONS, type Loaded, runWrk } from './wrk.ts'

export const SIDES = ['server', 'loop', 'pgbench'] as const
export type SideName = (typeof SIDES)[number]

export interface Throughput {
  readonly perSecond: number
  /** Microseconds of CPU per operation. `client` is whoever talks to PostgreSQL: the server, the loop, pgbench. */
  readonly cpu: { readonly client: number; readonly postgres: number; readonly generator: number }
}

export type ThroughputRounds = Rounds<SideName, Throughput>
export interface OperationResult {
  readonly statements: readonly string[]
  readonly rounds: ThroughputRounds
}
export type ThroughputResult = Readonly<Record<OperationName, OperationResult>>

export interface ThroughputSizes {
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly rounds: number
}

const PG_LOOP = new URL('./pg-loop.ts', import.meta.url)
const POLLED = 1_000
/** Intents that are used up; more than any side can link here. */
const LINKED_PER_SECOND = 15_000

/** Every operation on every side in turns, each on freshly filled tables. */
export async function measureThroughput(rig: Rig, sizes: ThroughputSizes): Promise<ThroughputResult> {
  using loop = startWorker<PgLoop>(PG_LOOP)
  await loop.ask('connect', { url: rig.databaseUrl, connections: CONNECTIONS })
  const recorded = await recordOperations(rig)
  const results: Partial<Record<OperationName, OperationResult>> = {}
  for (const operation of OPERATIONS) {
    console.log(`  ${operation} …`)
    const statements = recorded[operation]
    const bench = { rig, loop, operation, statements }
    if (sizes.warmUpSeconds > 0)
      for (const side of ['server', 'loop'] as const) await measureSide(bench, side, sizes.warmUpSeconds)
    const rounds = await inTurns(SIDES, sizes.rounds, (side) => measureSide(bench, side, sizes.seconds))
    results[operation] = { statements, rounds }
  }
  return results as ThroughputResult
}

interface Bench {
  readonly rig: Rig
  readonly loop: Worker<PgLoop>
  readonly operation: OperationName
  readonly statements: readonly string[]
}

/** As if the one caller there is had polled every intent before. */
async function noteCaller(rig: Rig): Promise<void> {
  await askOnce(rig.server.port, rig.browsers, 'pollBare')
  await rig.client.query(
    'update intents set watcher = (select watcher from intents where watcher is not null) where watcher is null',
  )
}

async function measureSide(bench: Bench, side: SideName, seconds: number): Promise<Throughput> {
  const { rig, loop, operation } = bench
  const { challenge, usesUp } = HTTP[operation]
  const range = { from: 1, count: usesUp ? LINKED_PER_SECOND * Math.ceil(seconds) : POLLED }
  await rig.reset(operation === 'create' ? undefined : range, challenge)
  if (operation === 'pollBare') await noteCaller(rig)
  const pid = { server: rig.server.running.pid, loop: loop.pid, pgbench: undefined }[side]
  const readCpu = () =>
    [pid === undefined ? 0 : cpuOf(pid), cpuOfPostgres(rig.postgres.pid()), cpuOfEnded(process.pid)] as const
  const postmaster = rig.postgres.pid()
  const backends = childrenOf(postmaster).length
  const before = readCpu()
  const { operations, perSecond } = await runSide(bench, side, range, seconds)
  // The CPU of a backend that is leaving is in neither of the two sums.
  if (side === 'pgbench')
    await waitUntil('its backends are gone', () => childrenOf(postmaster).length <= backends)
  const after = readCpu()
  await requireWritten(rig, operation, operations)
  const [own, postgres, ended] = after.map(
    (value, index) => ((value - (before[index] ?? 0)) * 1e6) / operations,
  )
  return {
    perSecond,
    cpu: {
      client: (side === 'pgbench' ? ended : own) ?? 0,
      postgres: postgres ?? 0,
      generator: side === 'server' ? (ended ?? 0) : 0,
    },
  }
}

async function runSide(bench: Bench, side: SideName, range: IntentRange, seconds: number): Promise<Loaded> {
  const { rig, loop, operation, statements } = bench
  if (side === 'loop') return await loop.ask('run', { operation, statements, range, seconds })
  if (side === 'server') {
    const { server, browsers } = rig
    return await runWrk({ port: server.port, operation: HTTP[operation], browsers, range, seconds })
  }
  return await runPgbench({
    postmaster: rig.postgres.pid(),
    url: rig.databaseUrl,
    connections: CONNECTIONS,
    statements,
    expressions: EXPRESSIONS[operation],
    // What is created must be new each time.
    range: operation === 'create' ? { from: 1, count: Number.MAX_SAFE_INTEGER } : range,
    seconds,
  })
}

/** What was counted as done must be in the tables; what was under way at the end may be there as well. */
async function requireWritten({ client }: Rig, operation: OperationName, operations: number): Promise<void> {
  const { rows } = await client.query<{ made: number; linked: number }>(
    `select count(*)::integer as made, count(linked_at)::integer as linked from intents`,
  )
  const { made = 0, linked = 0 } = rows[0] ?? {}
  const written = { create: made, poll: operations, pollBare: operations, link: linked }[operation]
  requireCounted(operation, operations, written)
}

export function requireCounted(operation: string, counted: number, written: number): void {
  if (!(counted > 0)) throw new Error(`${operation}: nothing was measured`)
  if (written < counted || written > counted + HTTP_CONNECTIONS)
    throw new Error(`${operation}: ${counted} were counted, ${written} are in the database`)
}
