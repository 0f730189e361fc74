import { cpus } from 'node:os'
import { type GatewayFigures, GOALS } from './figures.ts'
import { middle, ratio } from './turns.ts'

/** Which goals were missed, by how much, and what stands in the way. */
export function gatewayLimits({ callbacks, memory }: GatewayFigures): string {
  const { balanced, steady } = callbacks
  const against = (rounds: typeof balanced, pick: (cost: (typeof balanced)[0]['gateway']) => number) =>
    ratio(rounds, 'gateway', 'script', pick)
  const rate = against(balanced, (cost) => cost.perSecond)
  const saturated = against(balanced, (cost) => cost.p99Ms)
  const unhurried = against(steady, (cost) => cost.p99Ms)
  const resident = ratio(memory, 'on Redis', 'bare ws', ({ socket }) => socket.rss)
  const missed = [
    rate < GOALS.throughput ? `callbacks per second, ${rate.toFixed(2)} instead of ${GOALS.throughput}` : '',
    saturated > GOALS.p99 ? `p99 at saturation, ${saturated.toFixed(2)} instead of ${GOALS.p99}` : '',
    unhurried > GOALS.p99 ? `p99 at a steady rate, ${unhurried.toFixed(2)} instead of ${GOALS.p99}` : '',
    resident > GOALS.memory ? `memory of a socket, ${resident.toFixed(2)} instead of ${GOALS.memory}` : '',
  ].filter((line) => line !== '')
  const cpu = (name: 'gateway' | 'script' | 'acknowledged') =>
    `${middle(balanced, name, (cost) => cost.cpu.nodes).toFixed(0)} µs`
  const acknowledging = ratio(balanced, 'acknowledged', 'script', (cost) => cost.perSecond)
  const beside = ratio(balanced, 'gateway', 'acknowledged', (cost) => cost.perSecond)
  return `${missed.length === 0 ? 'Every goal is reached.' : `Not reached: ${missed.join('; ')}.`}

The second prototype, which does what the gateway promises and nothing else, itself reaches ${acknowledging.toFixed(2)} of the first; the
gateway makes ${beside.toFixed(2)} of its callbacks per second. It gets there by doing once per turn of the event loop what the prototype
does once per callback: one script takes every state that came in, one message goes to each node, one goes back.

A callback takes ${cpu('script')} of the nodes' CPU in the first prototype, ${cpu('acknowledged')} in the second, ${cpu('gateway')} in the gateway. From the first to
the second is the price of a page that is true: the owner's acknowledgement travels back through Redis. The
gateway saves on commands what it spends on everything the prototype leaves out. In a profile about two fifths of the gateway's time are the three
writes to Redis, to the socket and to the browser, which the prototype makes as well; the rest is the route with its
guards, headers and metrics ([kernel.md](kernel.md)), deadlines on every command, the books on who holds what until when,
and the garbage collection of all that. Nodes, Redis, clients and load share ${cpus().length} cores here, so CPU that a callback takes
more is throughput lost, and waiting at saturation is the same figure once more: 64 connections divided by throughput.`
}
