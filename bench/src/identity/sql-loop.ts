// A process that does nothing but send the server's statements, as fast as they are answered.
import { Client } from 'pg'
import { serveParent } from '../processes.ts'
import type { RecordedQuery } from '../recorded-queries.ts'
import { percentile } from '../report.ts'
import type { IntentRange } from './intents.ts'
import { type OperationName, PARAMETERS } from './operations.ts'

export interface Looped {
  readonly operations: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Time {
  readonly connections: number
  readonly seconds: number
}

export type SqlLoop = {
  connect(order: { readonly url: string; readonly connections: number }): Promise<void>
  /** Recorded operations in turn. */
  repeat(order: Time & { readonly operations: readonly (readonly RecordedQuery[])[] }): Promise<Looped>
  /** The statements of an operation on intents, with fresh values each time; each of them must find one row. */
  run(
    order: Time & {
      readonly operation: OperationName
      readonly statements: readonly string[]
      readonly range: IntentRange
    },
  ): Promise<Looped>
}

const clients: Client[] = []

async function loop(
  { connections, seconds }: Time,
  send: (client: Client, number: number) => Promise<void>,
): Promise<Looped> {
  const times: number[] = []
  let begun = 0
  const start = performance.now()
  const lane = async (client: Client) => {
    while (performance.now() < start + seconds * 1000) {
      const number = begun
      begun += 1
      const begunAt = performance.now()
      await send(client, number)
      times.push(performance.now() - begunAt)
    }
  }
  await Promise.all(clients.slice(0, connections).map(lane))
  return {
    operations: times.length,
    perSecond: (times.length * 1000) / (performance.now() - start),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  }
}

serveParent({
  async connect({ url, connections }) {
    for (let index = 0; index < connections; index += 1) {
      const client = new Client({ connectionString: url })
      await client.connect()
      clients.push(client)
    }
  },

  repeat: ({ operations, ...time }) =>
    loop(time, async (client, number) => {
      for (const { text, values } of operations[number % operations.length] ?? [])
        await client.query({ text, values: [...values] })
    }),

  run: ({ operation, statements, range, ...time }) =>
    loop(time, async (client, number) => {
      const each = PARAMETERS[operation](range.from + (number % range.count))
      for (const [index, text] of statements.entries()) {
        const named = { name: `${operation}-${index}`, text, values: [...(each[index] ?? [])] }
        const { rowCount } = await client.query(named)
        if (rowCount !== 1) throw new Error(`${operation}: ${rowCount} rows from ${text}`)
      }
    }),
} satisfies SqlLoop)
