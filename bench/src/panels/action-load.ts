// Whoever drives a web view: one request after the other on kept-alive connections, each timed to its last byte.
import { openConnection } from '../http.ts'
import { inLanes, serveParent } from '../processes.ts'
import { percentile } from '../report.ts'

export interface ActionOrder {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly panelId: string
  readonly actions: number
  /** How many wait for their answer at once. */
  readonly together: number
}

export interface ActionTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly perSecond: number
}

export type ActionLoad = { run(order: ActionOrder): Promise<ActionTimes> }

serveParent({
  async run({ port, path, panelId, actions, together, ...order }) {
    const connections = await Promise.all(Array.from({ length: together }, () => openConnection(port)))
    const headers = { ...order.headers, 'content-type': 'application/json' }
    const times: number[] = []
    const begun = performance.now()
    await inLanes(together, actions, async (number, lane) => {
      const body = JSON.stringify({ panelId, action: 'navigate', url: `https://example.com/${number}` })
      const sent = performance.now()
      await connections[lane]?.ask({ method: 'PATCH', path, headers, body }, 204)
      times.push(performance.now() - sent)
    })
    const seconds = (performance.now() - begun) / 1000
    for (const connection of connections) connection.close()
    return {
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      perSecond: times.length / seconds,
    }
  },
} satisfies ActionLoad)
