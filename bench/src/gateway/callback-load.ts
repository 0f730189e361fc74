// Sends the callbacks of a batch, each once, as fast as they are answered or at a given rate.
import { type CallbackConnection, openCallbackConnection } from './callback-connection.ts'
import { percentile } from './percentile.ts'
import { doorOf, type Doors, stateOf } from './state.ts'
import { serveParent } from './worker.ts'

export interface LoadOrder {
  readonly ports: readonly [number, number]
  readonly batch: number
  readonly count: number
  readonly doors: Doors
  /** Callbacks per second; without it, every connection sends the next one when the last was answered. */
  readonly rate?: number | undefined
}

export interface LoadResult {
  readonly startedAt: number
  readonly endedAt: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type CallbackLoad = { run(order: LoadOrder): Promise<LoadResult> }

const CONNECTIONS_PER_NODE = 32
const TICK_MS = 1

interface Due {
  readonly index: number
  readonly since: number
}

const commands: CallbackLoad = {
  async run({ ports, batch, count, doors, rate }) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queues: [Due[], Due[]] = [[], []]
    const next = [0, 0]
    const free: [CallbackConnection[], CallbackConnection[]] = [[], []]
    const times: number[] = []
    const connections: CallbackConnection[] = []
    for (const door of [0, 1] as const) {
      for (let opened = 0; opened < CONNECTIONS_PER_NODE; opened += 1) {
        const connection = await openCallbackConnection(ports[door], reject)
        connections.push(connection)
        free[door].push(connection)
      }
    }

    const enqueue = (index: number) => queues[doorOf(index, doors)].push({ index, since: performance.now() })
    /** Puts free connections of a node to work on what is due there. */
    const work = (door: 0 | 1) => {
      for (;;) {
        const due = queues[door][next[door] ?? 0]
        const connection = due === undefined ? undefined : free[door].pop()
        if (due === undefined || connection === undefined) return
        next[door] = (next[door] ?? 0) + 1
        const since = rate === undefined ? performance.now() : due.since
        connection.call(stateOf(batch, due.index), () => {
          times.push(performance.now() - since)
          free[door].push(connection)
          if (times.length === count) resolve()
          else work(door)
        })
      }
    }
    const start = performance.now()
    let enqueued = 0
    /** Whoever waits for a free connection waits from the moment the callback was due. */
    const tick = () => {
      const until = rate === undefined ? count : Math.ceil(((performance.now() - start) / 1000) * rate)
      for (; enqueued < Math.min(count, until); enqueued += 1) enqueue(enqueued)
      work(0)
      work(1)
      if (enqueued < count) setTimeout(tick, TICK_MS)
    }
    tick()
    await promise
    const end = performance.now()
    for (const connection of connections) connection.close()
    return {
      startedAt: performance.timeOrigin + start,
      endedAt: performance.timeOrigin + end,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    }
  },
}

serveParent(commands)
