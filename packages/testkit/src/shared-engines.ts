import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Postgres, startPostgres } from './postgres.ts'

export interface SharedEngines extends AsyncDisposable {
  /** Where a test asks for an engine of the run. */
  readonly url: string
}

/**
 * Engines that a whole test run shares. Each starts when the first test asks for it, so a run that needs none waits for
 * none, and ends with the run: the processes that ask come and go.
 */
export async function serveSharedEngines(): Promise<SharedEngines> {
  let postgres: Promise<Postgres> | undefined
  const server = createServer((request, response) => {
    if (request.url !== '/postgres') {
      response.writeHead(404).end()
      return
    }
    // Hundreds of databases come and go, each of which it would visit; a test that is about statistics asks for its own.
    postgres ??= startPostgres({ settings: { autovacuum: 'off' } })
    postgres.then(
      (running) => response.end(running.url()),
      (error: unknown) => response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await (await postgres?.catch(() => undefined))?.[Symbol.asyncDispose]()
    },
  }
}
