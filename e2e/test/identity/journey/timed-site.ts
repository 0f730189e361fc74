import { randomBytes } from 'node:crypto'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig, startServer } from '@patchbay/server'
import { SettableClock } from '@patchbay/testkit/clock'
import { withFreePort } from '@patchbay/testkit/ports'
import { buildApp } from '@patchbay/web/test/build-app'
import { preparedDatabase } from '../../installation/database.ts'
import { objectsUrl, type Site } from './site.ts'

/** A server whose time a test moves. It runs in this process: another one would read its own clock. */
export async function startTimedSite(): Promise<Site & { readonly clock: SettableClock }> {
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await preparedDatabase())
  const objects = await objectsUrl(cleanup)
  const webRoot = await buildApp()
  const clock = new SettableClock(new Date())
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const lifecycle = new Lifecycle(log)
  cleanup.defer(async () => void (await lifecycle.stop(5_000)))
  const url = await withFreePort(async (port) => {
    const config = readConfig(serverConfig, {
      DATABASE_URL: database.url,
      PATCHBAY_PORT: String(port),
      PATCHBAY_WEB_ROOT: webRoot,
      PATCHBAY_OBJECTS_URL: objects,
    })
    const createSecret = () => randomBytes(32).toString('base64url')
    const server = await startServer({ config, log, clock, node: 'timed-1', lifecycle, createSecret })
    await server.prepared
    return `http://localhost:${port}`
  })
  const owned = cleanup.move()
  return {
    url,
    databaseUrl: database.url,
    nodes: [],
    clock,
    logs: () => lines.join(''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
