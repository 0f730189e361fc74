import { loadavg } from 'node:os'
import { describeMachine } from '../machine.ts'
import type { IdentityFigures } from './figures.ts'
import { identityLimits } from './limits.ts'
import { PEOPLE } from './people.ts'
import { CONNECTIONS } from './rig.ts'
import { cpuTable, memoryTable, throughputTable, wakeTable } from './tables.ts'
import { HTTP_CONNECTIONS } from './wrk.ts'

export function identityReport(figures: IdentityFigures): string {
  const { throughput, memory, wake, sizes } = figures
  const thousands = (value: number) => value.toLocaleString('en-US')
  const logins = sizes.wake.perSecond * sizes.wake.seconds
  return `# What logins cost

Written by \`pnpm bench identity\`, all sides in one run and in turns; medians, and medians of the ratios of neighbouring
rounds. ${describeMachine()} Load average at the end of the run: ${loadavg()[0]?.toFixed(1)}.

![Operations per second](identity-operations.svg)

## Create, poll and link

One \`patchbay server\` on ${CONNECTIONS} database connections, loaded by wrk over ${HTTP_CONNECTIONS} kept-alive connections, against a process that
sends the same statements with \`pg\`, prepared, on ${CONNECTIONS} connections, and pgbench with as many; ${sizes.throughput.rounds} rounds of ${sizes.throughput.seconds} s each.
The statements are taken from PostgreSQL's log while the server answers, so both sides run the same text; under load
the server makes and looks up intents, and looks up sessions, with one statement for all that one turn of its event loop brings, which
the loop does not. pgbench cannot hash, so PostgreSQL hashes for it.

Create opens an intent with a challenge. Poll asks for the status of 1,000 pending intents, with the verifier, and bare for intents
that have none. Link is the approval of ${PEOPLE} people in turns, with cookie, \`Origin\` and CSRF token, each of a fresh intent: two
statements, one of which writes two tables. A round whose answers are not all successes, or whose rows are not in the database
afterwards, is an error. PostgreSQL runs without fsync, which is hard on the ratio: a disk would slow both sides alike.

${throughputTable(throughput)}

CPU of one operation, from \`/proc\`. The generator's share is lost to the server's side alone.

${cpuTable(throughput)}

## Memory of open streams

${thousands(sizes.memory.streams)} event streams on one node, each of an intent of its own, against a \`node:http\` server that holds as many and pings them;
${sizes.memory.rounds} rounds in turns, each in a fresh process, after a garbage collection. The first tenth is opened before the first reading. In
brackets: in single rounds.

${memoryTable(memory)}

![Memory of an open stream](identity-streams.svg)

## Waking

Two nodes, one Redis, one PostgreSQL. Applications wait with streams at one node, people approve at the other,
${sizes.wake.perSecond} logins a second; ${sizes.wake.rounds} rounds of ${logins} logins each, once with nobody else waiting and once while ${thousands(sizes.wake.waiting)} other streams are open. Every
stream must end with its session, once.

${wakeTable(wake)}

From the approval sent, the way is: the session of the browser is looked up, the intent is linked and committed, Redis tells the other node, that node reads
the intent, marks it as retrieved, unseals the token and writes the event. The sweep that finds what no wake-up told runs every 2 s and is not in these figures
unless the longest says so.

## What limits it

${identityLimits(figures)}

## To repeat

\`pnpm bench identity\` takes about six minutes and needs PostgreSQL with pgbench, \`redis-server\`, wrk and a machine that does nothing
else; \`--smoke\` takes seconds and writes nothing. \`node --cpu-prof --cpu-prof-dir=<folder> bench/src/main.ts identity --smoke\` leaves a profile
of every node.
`
}
