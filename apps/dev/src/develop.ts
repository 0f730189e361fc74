import { randomBytes, randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { DEFAULT_PORTS } from '@patchbay/contracts'
import { systemClock } from '@patchbay/kernel/clock'
import { type Environment, readConfig } from '@patchbay/kernel/config'
import { Lifecycle, runUntilSignal } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig, startServer } from '@patchbay/server'
import { startOidcProvider } from '@patchbay/testkit/oidc'
import { webConfig } from '@patchbay/web/vite.config'
import { createServer as createViteServer } from 'vite'
import { banner } from './banner.ts'
import { startDevelopmentDatabase } from './database.ts'
import { firstAdminLink } from './first-administrator.ts'
import { introduceTo } from './issuer.ts'
import { portOrFree } from './ports.ts'

const WEB_PORT = 8791
const DRAIN_MS = 5_000

export interface DevelopOptions {
  readonly environment: Environment
  /** Where data stays between runs. */
  readonly folder: string
}

/** Starts everything, in the order in which each part is needed, and says where it is. */
export async function develop({ environment, folder }: DevelopOptions): Promise<void> {
  const log = createLog({
    level: environment['PATCHBAY_LOG_LEVEL'] === 'debug' ? 'debug' : 'warn',
    process: 'dev',
  })
  // Ctrl-C reaches PostgreSQL at the same moment; that its connections break then is no news.
  process.once('SIGINT', () => {
    log.level = 'fatal'
  })
  const lifecycle = new Lifecycle(log)
  runUntilSignal(process, lifecycle, log, DRAIN_MS)

  const databaseUrl =
    environment['DATABASE_URL'] ??
    (
      await lifecycle.start(
        'postgres',
        () => startDevelopmentDatabase(folder),
        (part) => part.stop(),
      )
    ).url

  const issuer = await lifecycle.start(
    'identity provider',
    () => startOidcProvider(),
    async (part) => {
      await part[Symbol.asyncDispose]()
    },
  )

  const port = await portOrFree(Number(environment['PATCHBAY_PORT'] ?? DEFAULT_PORTS.server))
  const webPort = await portOrFree(WEB_PORT)
  const publicUrl = `http://localhost:${webPort}`
  const proxyPort = await portOrFree(DEFAULT_PORTS.proxy)
  const createSecret = () => randomBytes(32).toString('base64url')
  const runId = randomUUID().slice(0, 8)
  const serverEnvironment = {
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
    PATCHBAY_OIDC_ISSUERS: await introduceTo(issuer, publicUrl),
    PATCHBAY_SIGN_UP: 'open',
    ...environment,
    PATCHBAY_PORT: String(port),
    PATCHBAY_PUBLIC_URL: publicUrl,
    PATCHBAY_PROXY_URL: `http://localhost:${proxyPort}`,
    PATCHBAY_PROXY_PORT: String(proxyPort),
    DATABASE_URL: databaseUrl,
  }
  const config = readConfig(serverConfig, serverEnvironment)
  const server = await startServer({
    config,
    log,
    clock: systemClock,
    node: `dev-${runId}`,
    lifecycle,
    createSecret,
  })
  await server.prepared

  await lifecycle.start(
    'web app',
    async () => {
      const web = webConfig({ serverUrl: server.url })
      const started = await createViteServer({
        ...web,
        server: { ...web.server, port: webPort, strictPort: true },
        logLevel: 'warn',
      })
      return await started.listen()
    },
    (part) => part.close(),
  )

  const adminLink = await firstAdminLink({ environment: serverEnvironment, runId, createSecret })
  console.log(
    banner({
      adminLink,
      web: config.publicUrl ?? '',
      server: server.url,
      issuer: issuer.issuer,
      database:
        environment['DATABASE_URL'] === undefined
          ? `its own, in ${join(folder, 'postgres')}`
          : 'from DATABASE_URL',
      bus: config.redisUrl === undefined ? 'in this process' : 'from REDIS_URL',
      moved: port === DEFAULT_PORTS.server ? undefined : DEFAULT_PORTS.server,
    }),
  )
}
