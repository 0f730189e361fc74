import { loadavg } from 'node:os'
import { describeMachine } from '../machine.ts'
import { type GatewayFigures, GOALS } from './figures.ts'
import { gatewayLimits } from './limits.ts'
import {
  atLeast,
  atMost,
  callbackTable,
  flowTable,
  memoryTable,
  registerTable,
  registrationMemory,
} from './tables.ts'

export function gatewayReport(figures: GatewayFigures): string {
  const { callbacks, flows, pending, memory, sizes } = figures
  const { balanced, crossing, steady, rate } = callbacks
  const thousands = (value: number) => value.toLocaleString('en-US')
  return `# What the gateway costs

Written by \`pnpm bench gateway\`, all sides in one run and in turns; medians, and medians of the ratios of neighbouring
rounds. ${describeMachine()} Load average at the end of the run: ${loadavg()[0]?.toFixed(1)}.

Measured against a bare prototype (\`bench/src/gateway/bare-node.ts\`): node:http, \`ws\`, ioredis, and one script that
claims the state and publishes the code to the node that holds the socket. It comes in two forms. The first answers the
person as soon as Redis has published; the goals are set against it. The second answers once the socket has taken the
code, which is what the gateway promises: "done" on the page is true.

The prototype has no checks of input, host or origin, no limits, no log, no metrics, no deadlines, no expiry it tells
anybody about, no tombstones against a state that is used again, and it forgets a code whose node has died.

Two nodes, one Redis, ${thousands(sizes.sockets)} sockets, ${thousands(sizes.callbacks.states)} callbacks per round over 64 kept-alive connections, everything on one
machine. Every code is counted at the socket: a round in which one is missing, wrong or comes twice is an error.

![Callbacks per second and p99](gateway-callbacks.svg)

## Callbacks, as a balancer spreads them

Half of them arrive at the node that holds the socket, half at the other; ${balanced.length} rounds. As fast as they are answered, so
p99 is mostly the time in queues of a machine that has no core left.

${callbackTable(balanced, { rate: atLeast(GOALS.throughput), p99: atMost(GOALS.p99) })}

## Callbacks that all cross nodes

The worst case; ${crossing.length} rounds.

${callbackTable(crossing, {})}

## Latency at a steady rate

${thousands(rate)} callbacks per second on every side, half of what the first prototype can do; ${steady.length} rounds, spread as above.

${callbackTable(steady, { p99: atMost(GOALS.p99) })}

## Registering

The registers before each of the rounds above, against \`ws\` that answers after a \`SET … NX EX\`; 200 sockets at a time,
each waits for its answer. ${balanced.length} rounds.

${registerTable(balanced)}

## The whole flow

Connect, register, callback, close; ${thousands(sizes.flows.flows)} flows per round, 64 at a time, ${flows.length} rounds.

${flowTable(flows)}

## Memory of idle sockets

${thousands(sizes.memory.sockets)} sockets on one node, because these machines let a process open 20,000 files; ${memory.length} rounds in turns, each in a fresh
process, after a garbage collection. The first tenth is opened before the first reading.

${memoryTable(memory, atMost(GOALS.memory))}

One registration on every socket adds ${registrationMemory(memory)}.

![Memory of an idle socket](gateway-memory.svg)

## Cost against pending registrations

CPU of both nodes and Redis for one callback while so many other registrations wait.

| pending | bare, answers after the script | gateway |
|---|---|---|
${pending.map((cost) => `| ${thousands(cost.pending)} | ${cost.script.toFixed(0)} µs | ${cost.gateway.toFixed(0)} µs |`).join('\n')}

![CPU per callback against pending registrations](gateway-pending.svg)

## What limits it

${gatewayLimits(figures)}

## To repeat

\`pnpm bench gateway\` takes about ten minutes, needs \`redis-server\` and a machine that does nothing else;
\`--smoke\` takes seconds and writes nothing. \`node --cpu-prof --cpu-prof-dir=<folder> bench/src/main.ts gateway --smoke\`
leaves a profile of every node.
`
}
