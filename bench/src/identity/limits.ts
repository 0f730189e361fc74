import { cpus } from 'node:os'
import { middle, ratio } from '../gateway/turns.ts'
import { GOALS, type IdentityFigures } from './figures.ts'
import { OPERATIONS, type OperationName } from './operations.ts'
import { OPERATION_TEXTS } from './tables.ts'

/** Which goals were missed, by how much, and what stands in the way. */
export function identityLimits({ throughput, memory }: IdentityFigures): string {
  const rate = (operation: OperationName) =>
    ratio(throughput[operation].rounds, 'server', 'loop', ({ perSecond }) => perSecond)
  const resident = (holder: 'one node' | 'on Redis') =>
    ratio(memory, holder, 'bare', ({ stream }) => stream.rss)
  const slow = OPERATIONS.filter((operation) => rate(operation) < GOALS.throughput)
  const large = (['one node', 'on Redis'] as const).filter((holder) => resident(holder) > GOALS.memory)
  const missed = [
    ...slow.map(
      (name) => `${OPERATION_TEXTS[name]}, ${rate(name).toFixed(2)} instead of ${GOALS.throughput}`,
    ),
    ...large.map(
      (name) => `memory of a stream ${name}, ${resident(name).toFixed(2)} instead of ${GOALS.memory}`,
    ),
  ]
  const own = (operation: OperationName, side: 'server' | 'loop') =>
    middle(throughput[operation].rounds, side, ({ cpu }) => cpu.client).toFixed(0)
  const each = OPERATIONS.map(
    (operation) =>
      `${own(operation, 'server')} µs for ${own(operation, 'loop')} µs (${OPERATION_TEXTS[operation]})`,
  )
  return `${missed.length === 0 ? 'Every goal is reached.' : `Not reached: ${missed.join('; ')}.`}

The server sends the statements that the loop sends, several in one where it can, on as many connections. What it adds is its own CPU: ${each.join(', ')}.
That is reading and answering HTTP through the route with its guards, headers, limits and metrics ([kernel.md](kernel.md)), hashing
and sealing, Kysely and the pool, and the deadline on every statement. The loop has none of that; it reads no input and answers nobody.
One process has one thread, so one operation cannot come more often than its CPU allows; a second node has its own.
Here server, PostgreSQL and generator also share ${cpus().length} cores, so "by CPU alone" says what the machine can give: the CPU that the loop and its
PostgreSQL take for one operation, divided by that of the server, its PostgreSQL and wrk. It moves less than the rates when something else runs.`
}
