import { randomBytes, randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import { systemClock } from '@patchbay/kernel/clock'
import { type Environment, readConfig } from '@patchbay/kernel/config'
import { Lifecycle, runUntilSignal } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { serverConfig, startServer } from '@patchbay/server'
import { startOidcProvider } from '@patchbay/testkit/oidc'
import { freePort } from '@patchbay/testkit/ports'
import { webConfig } from '@patchbay/web/vite.config'
import { createServer as createViteServer } from 'vite'
import { banner } from './banner.ts'
import { startDevelopmentDatabase } from './database.ts'
import { firstAdminLink } from './first-administrator.ts'
import { introduceTo } from './issuer.ts'
import { holdLines } from './log-lines.ts'
import { portOrFree } from './ports.ts'
import { keepAddress } from './start-failure.ts'

const DRAIN_MS = 5_000

export interface DevelopOptions {
  readonly environment: Environment
  readonly print: (text: string) => void
  /** Where data stays between runs. */
  readonly folder: string
}

/** Starts everything, in the order in which each part is needed, and says where it is. */
export async function develop({ environment, folder, print }: DevelopOptions): Promise<void> {
  const lines = holdLines((line) => process.stdout.write(line))
  process.once('exit', lines.flush)
  const log = createLog({
    level: environment['PATCHBAY_LOG_LEVEL'] === 'debug' ? 'debug' : 'warn',
    process: 'dev',
    destination: lines,
    isReadable: process.stdout.isTTY,
  })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    // The package of PostgreSQL would end this process before the server has drained, with a code that says failure.
    process.removeAllListeners(signal)
    process.once(signal, () => {
      print('\n  Stopping…')
      // Ctrl-C reaches PostgreSQL at the same moment; that its connections break then is no news.
      lines.drop()
      log.level = 'fatal'
    })
  }
  const lifecycle = new Lifecycle(log)
  runUntilSignal(process, lifecycle, log, DRAIN_MS)

  if (environment['DATABASE_URL'] === undefined) print('  Starting PostgreSQL… (the first time takes longer)')
  const databaseUrl =
    environment['DATABASE_URL'] ??
    (
      await lifecycle.start(
        'postgres',
        () => startDevelopmentDatabase(folder),
        (part) => part.stop(),
      )
    ).url

  print('  Starting the identity provider…')
  const issuer = await lifecycle.start(
    'identity provider',
    () => startOidcProvider(),
    async (part) => {
      await part[Symbol.asyncDispose]()
    },
  )

  // One address for pages and programs: Vite has it, and forwards what is the server's. A login at one is a login at both.
  const wanted = Number(environment['PATCHBAY_PORT'] ?? DEFAULT_PORTS.server)
  const port = await portOrFree(wanted)
  const publicUrl = `http://localhost:${port}`
  const createSecret = () => randomBytes(32).toString('base64url')
  const runId = randomUUID().slice(0, 8)
  const serverEnvironment = {
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
    PATCHBAY_OIDC_ISSUERS: await introduceTo(issuer, publicUrl),
    PATCHBAY_SIGN_UP: 'open',
    ...environment,
    PATCHBAY_HOST: '127.0.0.1',
    PATCHBAY_PORT: String(await freePort()),
    PATCHBAY_PUBLIC_URL: publicUrl,
    DATABASE_URL: databaseUrl,
  }
  print('  Starting the server…')
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

  print('  Starting the web app…')
  await lifecycle.start(
    'web app',
    async () => {
      const web = webConfig({ serverUrl: server.url })
      const started = await createViteServer({
        ...web,
        server: { ...web.server, port, strictPort: true },
        logLevel: 'warn',
      })
      return await started.listen()
    },
    (part) => part.close(),
  )

  const adminLink = await firstAdminLink({ environment: serverEnvironment, runId, createSecret })
  await keepAddress(folder, publicUrl)
  print(
    banner({
      adminLink,
      url: publicUrl,
      issuer: issuer.issuer,
      database:
        environment['DATABASE_URL'] === undefined
          ? `its own, in ${join(folder, 'postgres')}`
          : 'from DATABASE_URL',
      bus: config.redisUrl === undefined ? 'in this process' : 'from REDIS_URL',
      moved: port === wanted ? undefined : wanted,
    }),
  )
}
