import { openSockets } from '../gateway/sides.ts'
import { loadWith } from '../http.ts'
import { type HeldMemory, MEASURED, measureHeld, memoryRows } from '../memory.ts'
import { cpuOf, type RunningNode, startScript, withCpu } from '../processes.ts'
import {
  atLeast,
  atMost,
  type Bench,
  count,
  goalRatio,
  inTurns,
  medianOf,
  milliseconds,
  named,
  type Rounds,
  type Series,
  series,
  table,
} from '../report.ts'
import { PATH } from './route.ts'

const SIDES = ['bare', 'kernel'] as const
type SideName = (typeof SIDES)[number]

interface Http {
  readonly perSecond: number
  readonly p99Ms: number
  /** Of the server alone: less at the mercy of what else the machine does than requests per second. */
  readonly cpu: number
}

interface Sizes {
  readonly http: { readonly seconds: number; readonly rounds: number }
  /** At most 19,000 where a process may open 20,000 files. */
  readonly websocket: { readonly sockets: number; readonly rounds: number }
}

interface Figures {
  readonly http: Rounds<SideName, Http>
  readonly websocket: Rounds<SideName, HeldMemory>
}

const CONNECTIONS = 64
const WARM_UP_SECONDS = 2
const WARM_UP_SOCKETS = 200

/** The same empty validated route, bare and on the kernel's factory: both servers run, and are loaded in turns. */
async function measureHttp({ seconds, rounds }: Sizes['http']): Promise<Figures['http']> {
  await using bare = await startScript(new URL('./bare-http.ts', import.meta.url))
  await using kernel = await startScript(new URL('./kernel-http.ts', import.meta.url))
  const load = ({ port }: RunningNode, time: number) =>
    loadWith({ port, requests: [{ path: PATH }], connections: CONNECTIONS, seconds: time })
  const nodes = { bare, kernel }
  for (const side of SIDES) await load(nodes[side], WARM_UP_SECONDS)
  return await inTurns(SIDES, rounds, async (side) => {
    const node = nodes[side]
    const { result, cpu } = await withCpu({ server: () => cpuOf(node.pid) }, () => load(node, seconds))
    return { ...result, cpu: cpu.server / result.requests }
  })
}

/** What an idle connection costs, each side in a fresh process. */
async function measureSockets({ sockets, rounds }: Sizes['websocket']): Promise<Figures['websocket']> {
  return await inTurns(SIDES, rounds, async (side) => {
    await using node = await startScript(new URL(`./${side}-ws.ts`, import.meta.url), [], MEASURED)
    using clients = openSockets([node.port, node.port])
    return await measureHeld(node, { warmUp: WARM_UP_SOCKETS, counted: sockets, ...clients })
  })
}

const microseconds = (value: number) => `${value.toFixed(1)} µs`
const columns = (bare: string) =>
  [
    ['', named],
    [bare, medianOf('bare')],
    ['kernel', medianOf('kernel')],
    ['kernel / bare', goalRatio('kernel', 'bare')],
    ['goal', ({ goal }: Series<SideName>) => goal?.text ?? ''],
  ] as const

export const kernel: Bench<Sizes, Figures> = {
  full: { http: { seconds: 2, rounds: 25 }, websocket: { sockets: 9_000, rounds: 7 } },
  smoke: { http: { seconds: 1, rounds: 1 }, websocket: { sockets: 300, rounds: 1 } },

  async measure(sizes) {
    console.log('HTTP: an empty validated route, bare Fastify and the kernel in turns …')
    const http = await measureHttp(sizes.http)
    console.log('WebSocket: memory of idle connections, bare ws and the kernel in turns …')
    return { http, websocket: await measureSockets(sizes.websocket) }
  },

  report({ http, websocket }) {
    const rows = [
      series('requests per second', http, ({ perSecond }) => perSecond, count, atLeast(0.85)),
      series('p99', http, ({ p99Ms }) => p99Ms, milliseconds(1)),
      series('CPU per request', http, ({ cpu }) => cpu, microseconds),
    ]
    const [resident, heap] = memoryRows(websocket, 'a connection', atMost(1.25))
    const memory = [
      { ...resident, name: 'resident memory' },
      { ...heap, name: 'JavaScript heap' },
    ]
    return {
      parts: { http: table(rows, columns('bare Fastify')), websocket: table(memory, columns('bare ws')) },
    }
  },
}
