import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DEFAULT_PORTS } from '@patchbay/contracts/limits'
import { type RunningOidcProvider, startOidcProvider } from '@patchbay/dev-identity-provider'
import { systemClock } from '@patchbay/kernel/clock'
import { type Environment, readConfig } from '@patchbay/kernel/config'
import { Lifecycle, runUntilSignal } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { printFirstAdminLink, serverConfig, startServer } from '@patchbay/server'
import { startBoards } from './boards.ts'
import { startDevelopmentDatabase } from './database.ts'
import { freePort, portOrFree } from './ports.ts'
import { createSimulation } from './simulation.ts'
import { keepAddress, startFailureWords } from './start-failure.ts'

/** A person does not notice it, and a busy process reads a signal within it. */
const HELD_MS = 300

/**
 * Lines of the log, written a moment later: Ctrl-C reaches PostgreSQL too, and a busy process may read that its
 * connections broke before it reads the signal.
 */
export function holdLines(write: (text: string) => void) {
  let held: string[] = []
  const flush = () => {
    const lines = held
    held = []
    for (const line of lines) write(line)
  }
  return {
    write(line: string): void {
      if (held.push(line) === 1) setTimeout(flush, HELD_MS).unref()
    },
    /** At once, as when the process ends. */
    flush,
    drop(): void {
      held = []
    },
  }
}

const ISSUER_ID = 'dev'
const CLIENT_ID = 'patchbay'

/** Makes the server a client of the development provider, and answers the setting that tells the server so. */
async function introduceTo(provider: RunningOidcProvider, publicUrl: string): Promise<string> {
  await provider.addClient({
    id: CLIENT_ID,
    name: 'Patchbay',
    redirectUris: [`${publicUrl}/auth/oidc/${ISSUER_ID}/callback`],
  })
  return JSON.stringify([
    { id: ISSUER_ID, name: 'the development provider', issuer: provider.issuer, client_id: CLIENT_ID },
  ])
}

const DRAIN_MS = 5_000

export interface DevelopOptions {
  readonly environment: Environment
  /** Variables of other programs, which may stand in the same environment. */
  readonly alsoKnown?: readonly string[] | undefined
  readonly print: (text: string) => void
  /** Where data stays between runs. */
  readonly folder: string
  /** With which a person starts all this, and with which the other commands begin. */
  readonly commands: { readonly dev: string; readonly patchbay: string }
  /** Serves pages that somebody works on, and forwards the rest. Left out, the server serves the built ones. */
  readonly serveWebApp?: (options: {
    readonly port: number
    readonly serverUrl: string
  }) => Promise<{ close(): Promise<void> }>
}

/** Starts everything, or says why it cannot and what to do. */
export async function runDevelopment(options: DevelopOptions, fail: (text: string) => void): Promise<void> {
  await develop(options).catch(async (error: unknown) => {
    const { commands, folder } = options
    fail(`\n${await startFailureWords(error, { command: commands.dev, folder })}`)
  })
}

/** In the order in which each part is needed. */
async function develop({
  environment,
  alsoKnown,
  folder,
  print,
  commands,
  serveWebApp,
}: DevelopOptions): Promise<void> {
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

  // One address for pages and programs: a login at one is a login at both.
  const wanted = Number(environment['PATCHBAY_PORT'] ?? DEFAULT_PORTS.server)
  const port = await portOrFree(wanted)
  const publicUrl = `http://localhost:${port}`
  const mqttPort = environment['PATCHBAY_MQTT_PORT'] ?? String(await portOrFree(DEFAULT_PORTS.mqtt))
  const createSecret = () => randomBytes(32).toString('base64url')
  const runId = randomUUID().slice(0, 8)
  const serverEnvironment = {
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
    PATCHBAY_SPOOL_FOLDER: join(folder, 'spool'),
    PATCHBAY_OIDC_ISSUERS: await introduceTo(issuer, publicUrl),
    PATCHBAY_SIGN_UP: 'open',
    ...environment,
    PATCHBAY_HOST: '127.0.0.1',
    PATCHBAY_PORT: String(serveWebApp === undefined ? port : await freePort()),
    PATCHBAY_PUBLIC_URL: publicUrl,
    PATCHBAY_MQTT_PORT: mqttPort,
    DATABASE_URL: databaseUrl,
  }
  print('  Starting the server…')
  const simulation = createSimulation(
    { now: () => systemClock.now().getTime(), random: Math.random },
    join(folder, 'simulated-devices.json'),
  )
  const config = readConfig(serverConfig, serverEnvironment, alsoKnown)
  const server = await startServer({
    config,
    log,
    clock: systemClock,
    node: `dev-${runId}`,
    lifecycle,
    createSecret,
    simulation,
  })
  await lifecycle.start(
    'simulation',
    async () => simulation,
    (part) => part.close(),
  )
  await server.prepared
  await simulation.resume({ host: '127.0.0.1', port: Number(mqttPort), isTls: false })

  const kicad = await startBoards({
    environment: serverEnvironment,
    folder,
    log,
    lifecycle,
    runId,
  })

  if (serveWebApp !== undefined) {
    print('  Starting the web app…')
    await lifecycle.start(
      'web app',
      () => serveWebApp({ port, serverUrl: server.url }),
      (part) => part.close(),
    )
  }

  const adminLink = await firstAdminLink({ environment: serverEnvironment, alsoKnown, runId, createSecret })
  await keepAddress(folder, publicUrl)
  print(
    banner({
      adminLink,
      command: commands.patchbay,
      url: publicUrl,
      issuer: issuer.issuer,
      mqtt: `localhost:${mqttPort}`,
      database:
        environment['DATABASE_URL'] === undefined
          ? `its own, in ${join(folder, 'postgres')}`
          : 'from DATABASE_URL',
      bus: config.redisUrl === undefined ? 'in this process' : 'from REDIS_URL',
      kicad,
      moved: port === wanted ? undefined : wanted,
    }),
  )
}

interface Whereabouts {
  /** With which the commands of a second terminal begin. */
  readonly command: string
  /** Of the pages and of the HTTP interface. */
  readonly url: string
  readonly issuer: string
  /** Where devices connect. */
  readonly mqtt: string
  readonly database: string
  readonly bus: string
  /** Its version, or what to install. */
  readonly kicad: string
  /** Makes the first administrator; none is needed when there is one. */
  readonly adminLink: string | undefined
  /** The port that was wanted, when somebody else had it. */
  readonly moved: number | undefined
}

/** What a person needs to know once everything runs: the address to open comes first. */
export function banner(at: Whereabouts): string {
  const { command, url, issuer, mqtt, database, bus, kicad, adminLink, moved } = at
  const rows = [
    ['Address', `${url}${moved === undefined ? '' : `  (port ${moved} is taken)`}`],
    ['Documentation', `${url}/docs/`],
    ['Sign-in (dev)', issuer],
    ['MQTT', mqtt],
    ['PostgreSQL', database],
    ['Bus', bus],
    ['KiCad', kicad],
  ]
  const lines = rows.map(([label = '', value = '']) => `  ${label.padEnd(16)}${value}`)
  const first =
    adminLink === undefined
      ? ''
      : `  There is no administrator yet. Whoever opens this becomes one; it works once, for an hour:\n\n  ${adminLink}\n\n`
  return `\n  Patchbay is up. Open ${url}\n\n${lines.join('\n')}\n\n${first}  Commands of a second terminal begin with: ${command} login --server ${url}\n\n  Ctrl-C stops everything.\n`
}

interface AdminLinkOptions {
  /** With which the server was started: the link is at its public address, in its database. */
  readonly environment: Environment
  readonly alsoKnown?: readonly string[] | undefined
  readonly runId: string
  readonly createSecret: () => string
}

/** The link that `patchbay admin link` prints, or `undefined` when somebody is an administrator already. */
export async function firstAdminLink(options: AdminLinkOptions): Promise<string | undefined> {
  const printed: string[] = []
  const faults: string[] = []
  await printFirstAdminLink({
    ...options,
    alsoKnown: options.alsoKnown ?? [],
    createNonce: options.createSecret,
    host: { on: () => undefined, exit: () => undefined },
    print: (text) => printed.push(text),
    printError: (text) => faults.push(text),
  })
  // A link comes with its explanation; words without one are why there is none.
  const [link] = printed
  if (link === undefined && faults.length > 0)
    throw new Error(`No link for the first administrator could be made.\n${faults.join('\n')}`)
  return link
}
