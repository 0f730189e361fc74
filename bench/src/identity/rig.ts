import type { RunningNode } from '../processes.ts'
import { type Database, startDatabase, startServer } from '../server.ts'
import { type IntentRange, insertPending } from './intents.ts'
import { type Browser, insertPeople, insertSessions, openBrowsers } from './people.ts'

/** One PostgreSQL for everybody, one server on it, some people. */
export interface Rig extends Database {
  readonly server: RunningNode
  readonly browsers: readonly Browser[]
  /** Nothing but people's sessions and these intents: nobody pays for the rows that others left. */
  reset(pending?: IntentRange, challenge?: string | null): Promise<void>
}

export async function startRig(): Promise<Rig> {
  await using starting = new AsyncDisposableStack()
  const { postgres, url, client } = starting.use(await startDatabase())
  const server = starting.use(await startServer({ databaseUrl: url }))
  await insertPeople(client)
  await insertSessions(client)
  const browsers = await openBrowsers(server.port)
  const running = starting.move()
  return {
    postgres,
    url,
    client,
    server,
    browsers,
    async reset(pending, challenge = null) {
      await client.query('truncate intents, sessions')
      await insertSessions(client)
      if (pending !== undefined) await insertPending(client, pending, challenge)
      await client.query('vacuum analyze')
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
