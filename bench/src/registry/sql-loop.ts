// A process that does nothing but send the server's statements, as fast as they are answered.
import { Client } from 'pg'
import { percentile } from '../gateway/percentile.ts'
import { serveParent } from '../gateway/worker.ts'
import type { RecordedQuery } from './recorded-queries.ts'

export interface LoopOrder {
  /** What one operation sends, for each of the operations that are done in turn. */
  readonly operations: readonly (readonly RecordedQuery[])[]
  readonly connections: number
  readonly seconds: number
}

export interface Looped {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type SqlLoop = {
  connect(order: { readonly url: string; readonly connections: number }): Promise<void>
  run(order: LoopOrder): Promise<Looped>
}

const clients: Client[] = []

const commands: SqlLoop = {
  async connect({ url, connections }) {
    for (let index = 0; index < connections; index += 1) {
      const client = new Client({ connectionString: url })
      await client.connect()
      clients.push(client)
    }
  },

  async run({ operations, connections, seconds }) {
    const times: number[] = []
    let begun = 0
    const start = performance.now()
    const end = start + seconds * 1000
    const lane = async (client: Client) => {
      while (performance.now() < end) {
        const queries = operations[begun % operations.length] ?? []
        begun += 1
        const begunAt = performance.now()
        for (const { text, values } of queries) await client.query({ text, values: [...values] })
        times.push(performance.now() - begunAt)
      }
    }
    await Promise.all(clients.slice(0, connections).map(lane))
    return {
      perSecond: (times.length * 1000) / (performance.now() - start),
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
    }
  },
}

serveParent(commands)
