// A process that does nothing but send the server's statements, on as many connections, as fast as they are answered.
import { Client } from 'pg'
import { serveParent } from '../gateway/worker.ts'
import type { IntentRange } from './intents.ts'
import { type OperationName, PARAMETERS } from './operations.ts'

export interface ConnectOrder {
  readonly url: string
  readonly connections: number
}

export interface LoopOrder {
  readonly operation: OperationName
  readonly statements: readonly string[]
  readonly range: IntentRange
  readonly seconds: number
}

export type PgLoop = {
  connect(order: ConnectOrder): Promise<void>
  run(order: LoopOrder): Promise<{ readonly operations: number; readonly perSecond: number }>
}

const clients: Client[] = []

const commands: PgLoop = {
  async connect({ url, connections }) {
    for (let index = 0; index < connections; index += 1) {
      const client = new Client({ connectionString: url })
      await client.connect()
      clients.push(client)
    }
  },

  async run({ operation, statements, range, seconds }) {
    const parameters = PARAMETERS[operation]
    const named = statements.map((text, index) => ({ name: `${operation}-${index}`, text }))
    let operations = 0
    const start = performance.now()
    const end = start + seconds * 1000
    const lane = async (client: Client) => {
      while (performance.now() < end) {
        const each = parameters(range.from + (operations % range.count))
        operations += 1
        for (const [index, statement] of named.entries()) {
          const { rowCount } = await client.query({ ...statement, values: [...(each[index] ?? [])] })
          if (rowCount !== 1) throw new Error(`${operation}: ${rowCount} rows from ${statement.text}`)
        }
      }
    }
    await Promise.all(clients.map(lane))
    return { operations, perSecond: (operations * 1000) / (performance.now() - start) }
  },
}

serveParent(commands)
