// Whoever drives a web view: one request after the other on kept-alive connections, each timed to its last byte.
import { Agent, request } from 'node:http'
import { percentile } from '../gateway/percentile.ts'
import { serveParent } from '../gateway/worker.ts'

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

const agent = new Agent({ keepAlive: true })

function act({ port, path, headers, panelId }: ActionOrder, number: number): Promise<number> {
  const body = JSON.stringify({ panelId, action: 'navigate', url: `https://example.com/${number}` })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const begun = performance.now()
  const length = String(Buffer.byteLength(body))
  request(
    {
      agent,
      host: '127.0.0.1',
      port,
      path,
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': length },
    },
    (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 204) resolve(performance.now() - begun)
        else reject(new Error(`an action was answered with ${response.statusCode}`))
      })
    },
  )
    .once('error', reject)
    .end(body)
  return promise
}

serveParent({
  async run(order) {
    const times: number[] = []
    let next = 0
    const begun = performance.now()
    const one = async () => {
      while (next < order.actions) {
        next += 1
        times.push(await act(order, next))
      }
    }
    await Promise.all(Array.from({ length: order.together }, one))
    const seconds = (performance.now() - begun) / 1000
    return {
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      perSecond: times.length / seconds,
    }
  },
} satisfies ActionLoad)
