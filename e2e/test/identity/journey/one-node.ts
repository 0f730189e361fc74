import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig, startServer } from '@patchbay/server'
import { isDeep } from '@patchbay/testkit/depth'
import { withFreePort } from '@patchbay/testkit/ports'
import type { ClonedDatabase } from '@patchbay/testkit/postgres'
import { buildApp } from '@patchbay/web/test/build-app'
import { startServerProcess } from '../servers.ts'
import { type Environment, objectsUrl, type Site } from './site.ts'

/** One server, as somebody begins with Patchbay: no Redis, no proxy. In the deep run it is a process. */
export async function startOneNode(environment: Environment, database: ClonedDatabase): Promise<Site> {
  if (!isDeep) return await startSiteHere(environment, database)
  await using cleanup = new AsyncDisposableStack()
  const node = cleanup.use(
    await startServerProcess({
      DATABASE_URL: database.url,
      PATCHBAY_LOG_LEVEL: 'trace',
      PATCHBAY_WEB_ROOT: await buildApp(),
      PATCHBAY_OBJECTS_URL: await objectsUrl(cleanup),
      ...environment,
    }),
  )
  const owned = cleanup.move()
  return {
    url: `http://localhost:${node.port}`,
    databaseUrl: database.url,
    nodes: [node],
    logs: node.logs,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** A server in this process: another one costs seconds, and would read its own clock. */
export async function startSiteHere(
  environment: Environment,
  database: ClonedDatabase,
  clock: Clock = systemClock,
): Promise<Site> {
  await using cleanup = new AsyncDisposableStack()
  const objects = await objectsUrl(cleanup)
  const webRoot = await buildApp()
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
      PATCHBAY_PROXY_PORT: '0',
      PATCHBAY_WEB_ROOT: webRoot,
      PATCHBAY_OBJECTS_URL: objects,
      ...environment,
    })
    const createSecret = () => randomBytes(32).toString('base64url')
    const server = await startServer({ config, log, clock, node: 'here-1', lifecycle, createSecret })
    await server.prepared
    return `http://localhost:${port}`
  })
  const owned = cleanup.move()
  return {
    url,
    databaseUrl: database.url,
    nodes: [],
    logs: () => lines.join(''),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
