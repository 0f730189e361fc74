import { childrenOf } from '@patchbay/testkit/postgres-family'
import { waitUntil } from '@patchbay/testkit/processes'
import { loadWith } from '../http.ts'
import { cpuOf, cpuOfEnded, cpuOfPostgres, startWorker, type Worker, withCpu } from '../processes.ts'
import { recordQueries } from '../recorded-queries.ts'
import { inTurns, type Rounds } from '../report.ts'
import { CONNECTIONS } from '../server.ts'
import { type IntentRange, numbered } from './intents.ts'
import { EXPRESSIONS, HTTP, OPERATIONS, type OperationName, requireParameters } from './operations.ts'
import { runPgbench } from './pgbench.ts'
import type { Rig } from './rig.ts'
import type { SqlLoop } from './sql-loop.ts'

const SIDES = ['server', 'loop', 'pgbench'] as const
export type SideName = (typeof SIDES)[number]

export interface Throughput {
  readonly perSecond: number
  /** Microseconds of CPU per operation. `client` is whoever talks to PostgreSQL: the server, the loop, pgbench. */
  readonly cpu: { readonly client: number; readonly postgres: number; readonly generator: number }
}

export type ThroughputResult = Readonly<Record<OperationName, Rounds<SideName, Throughput>>>

export interface ThroughputSizes {
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly rounds: number
}

interface Run {
  readonly rig: Rig
  readonly loop: Worker<SqlLoop>
  readonly operation: OperationName
  readonly statements: readonly string[]
}

const SQL_LOOP = new URL('./sql-loop.ts', import.meta.url)
/** More than the server has database connections, so that none of those waits for the generator. */
const HTTP_CONNECTIONS = 32
const POLLED = 1_000
/** Intents that are used up; more than any side can link here. */
const LINKED_PER_SECOND = 15_000
/** The registry looks after its index all the time, whatever else the server does. */
const OF_THE_INDEX =
  /\b(?:feeds|feed_files|sparse_\w+|index_\w+|trust_\w+|packages|package_versions)\b|pg_advisory/

/** Every operation on every side in turns, each on freshly filled tables. */
export async function measureThroughput(rig: Rig, sizes: ThroughputSizes): Promise<ThroughputResult> {
  using loop = startWorker<SqlLoop>(SQL_LOOP)
  await loop.ask('connect', { url: rig.url, connections: CONNECTIONS })
  const results: Partial<Record<OperationName, Rounds<SideName, Throughput>>> = {}
  for (const operation of OPERATIONS) {
    console.log(`  ${operation} …`)
    const run = { rig, loop, operation, statements: await recordOperation(rig, operation) }
    if (sizes.warmUpSeconds > 0)
      for (const side of ['server', 'loop'] as const) await measureSide(run, side, sizes.warmUpSeconds)
    results[operation] = await inTurns(SIDES, sizes.rounds, (side) => measureSide(run, side, sizes.seconds))
  }
  return results as ThroughputResult
}

/** What the operation makes a server send. */
async function recordOperation(rig: Rig, operation: OperationName): Promise<readonly string[]> {
  await rig.reset({ from: 1, count: 1 }, HTTP[operation].challenge)
  const ask = () => askOnce(rig, operation)
  // The first poll of an intent notes its caller; the measurement polls each of them many times.
  if (!HTTP[operation].usesUp) await ask()
  const [queries = []] = await recordQueries(rig, [ask], (text) => !OF_THE_INDEX.test(text))
  const statements = queries.map(({ text }) => text)
  requireParameters(operation, statements)
  return statements
}

function requestOf({ server, browsers }: Rig, operation: OperationName, number: number) {
  const { method, path, body, headers, isByPerson } = HTTP[operation]
  const { cookie = '', csrf = '' } = browsers[number % browsers.length] ?? {}
  const person = { Cookie: cookie, 'X-CSRF-Token': csrf, Origin: `http://localhost:${server.port}` }
  return {
    method,
    path: path.replace('{token}', numbered(number)),
    headers: { ...headers, ...(isByPerson ? person : {}) },
    body,
  }
}

/** One operation, on the first intent. */
async function askOnce(rig: Rig, operation: OperationName): Promise<void> {
  const { path, method, headers, body } = requestOf(rig, operation, 1)
  const given = body === undefined ? {} : { body }
  const answer = await fetch(`http://127.0.0.1:${rig.server.port}${path}`, { method, headers, ...given })
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${await answer.text()}`)
}

/** As if the one caller there is had polled every intent before. */
async function noteCaller(rig: Rig): Promise<void> {
  await askOnce(rig, 'pollBare')
  await rig.client.query(
    'update intents set watcher = (select watcher from intents where watcher is not null) where watcher is null',
  )
}

async function measureSide(run: Run, side: SideName, seconds: number): Promise<Throughput> {
  const { rig, loop, operation } = run
  const { challenge, usesUp } = HTTP[operation]
  const range = { from: 1, count: usesUp ? LINKED_PER_SECOND * Math.ceil(seconds) : POLLED }
  await rig.reset(operation === 'create' ? undefined : range, challenge)
  if (operation === 'pollBare') await noteCaller(rig)
  const postmaster = rig.postgres.pid()
  const ended = () => cpuOfEnded(process.pid)
  const meters = {
    client: { server: () => cpuOf(rig.server.pid), loop: () => cpuOf(loop.pid), pgbench: ended }[side],
    postgres: () => cpuOfPostgres(postmaster),
    generator: side === 'server' ? ended : async () => 0,
  }
  const backends = childrenOf(postmaster).length
  const { result, cpu } = await withCpu(meters, async () => {
    const done = await runSide(run, side, range, seconds)
    // The CPU of a backend that is leaving is in neither of the two sums.
    if (side === 'pgbench')
      await waitUntil('its backends are gone', () => childrenOf(postmaster).length <= backends)
    return done
  })
  const { operations, perSecond } = result
  await requireWritten(rig, operation, operations)
  const { client, postgres, generator } = cpu
  return {
    perSecond,
    cpu: { client: client / operations, postgres: postgres / operations, generator: generator / operations },
  }
}

async function runSide(
  { rig, loop, operation, statements }: Run,
  side: SideName,
  range: IntentRange,
  seconds: number,
) {
  if (side === 'loop')
    return await loop.ask('run', { operation, statements, range, seconds, connections: CONNECTIONS })
  if (side === 'server') {
    const requests = Array.from({ length: operation === 'create' ? 1 : range.count }, (_, index) =>
      requestOf(rig, operation, range.from + index),
    )
    const load = { port: rig.server.port, requests, connections: HTTP_CONNECTIONS, seconds }
    const { requests: operations, perSecond } = await loadWith(load)
    return { operations, perSecond }
  }
  return await runPgbench({
    postmaster: rig.postgres.pid(),
    url: rig.url,
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
