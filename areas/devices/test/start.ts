import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import type { Device, DevicesNews } from '@patchbay/contracts/devices'
import { DEVICES_CHANNEL } from '@patchbay/contracts/devices'
import type { ActingParty } from '@patchbay/contracts/panels'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { createHttp } from '@patchbay/kernel/http'
import { createLog, type Log, Secret } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import {
  collectMigrations,
  createDatabase,
  type Database,
  type Db,
  fingerprintOf,
  kernelMigrations,
  migrate,
} from '@patchbay/kernel/postgres'
import type { Tracing } from '@patchbay/kernel/tracing'
import { type ClonedDatabase, cloneDatabase } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import type { RunningRabbitmq } from '@patchbay/testkit/rabbitmq'
import { sql } from 'kysely'
import mqtt, { type MqttClient } from 'mqtt'
import type { Broker } from '../src/broker.ts'
import type { Admitted, Page, RecordingSettings, Simulation, Workspaces } from '../src/deps.ts'
import { type Devices, registerDevices } from '../src/devices.routes.ts'
import { createEmbeddedBroker } from '../src/embedded-broker.io.ts'
import { createExternalBroker } from '../src/external-broker.io.ts'
import { type DevicesTables, devicesMigrations } from '../src/tables.ts'

const workspaceMigrations = { area: 'workspaces', folder: new URL('./workspaces/', import.meta.url) }

async function migratedDatabase(): Promise<ClonedDatabase> {
  const migrations = await collectMigrations([kernelMigrations, workspaceMigrations, devicesMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

export interface Noted {
  readonly at: string
  readonly by: string
  readonly action: string
  readonly reason: string | undefined
}

/** A device as it was added, and how to be it. */
export interface Added {
  readonly key: string
  readonly device: Device
  readonly topic: string
  readonly username: string
  /** Connects as the device; rejects when the broker refuses. */
  readonly connect: (options?: ConnectOptions) => Promise<MqttClient>
}

export interface ConnectOptions {
  readonly key?: string
  readonly clientId?: string
  readonly will?: string
  /** `false`: it wants what came while it was away. */
  readonly clean?: boolean
  /** Of another node. */
  readonly port?: number
}

export interface DevicesNode extends AsyncDisposable {
  readonly databaseUrl: string
  readonly url: string
  readonly db: Db<DevicesTables>
  readonly devices: Devices
  readonly broker: Broker
  /** Where devices connect. */
  readonly mqttPort: number
  readonly copy: Database<DevicesTables>['copy']
  readonly recordings: ObjectStore
  readonly objectsFolder: string
  readonly noted: readonly Noted[]
  make(workspace: string): Promise<void>
  /** As whoever the test says; `ada` may do everything, `reader` may read. A `person` is one in a browser. */
  ask(method: string, path: string, body?: unknown, as?: string): Promise<Response>
  add(name: string, workspace?: string): Promise<Added>
  /** A page that has the workspace open, and what it was told. */
  page(workspace?: string): TestPage
}

export interface TestPage extends Page {
  readonly news: DevicesNews[]
  isBusy: boolean
  watch(...channels: readonly string[]): Promise<void>
  leave(): void
  values(): { device: string; channel: string; value: unknown; at: number }[]
}

/** People are whom the request says they are: `ada` is a key of hers, `ada!` is she herself in a browser. */
function createWorkspaces(noted: Noted[]): Workspaces {
  const partyOf = (text: string): ActingParty => ({
    kind: text.endsWith('!') ? 'browser' : 'api_key',
    name: text,
    handle: text.replace('!', ''),
  })
  const admit = async (
    text: string,
    { owner, repo }: { owner: string; repo: string },
    isChange: boolean,
  ): Promise<Admitted> => {
    if (text === '') throw new Problem('sign_in_required')
    const party = partyOf(text)
    if (party.handle === 'stranger' || (party.handle === 'reader' && isChange))
      throw new Problem('not_permitted')
    return {
      party,
      async lock(tx) {
        const { rows } = await sql`
          select from workspaces where owner = ${owner} and repo = ${repo} for no key update`.execute(tx)
        if (rows.length === 0) throw new Problem('workspace_not_found')
        return async (action, reason) => void noted.push({ at: `${owner}/${repo}`, by: text, action, reason })
      },
    }
  }
  return {
    admit: ({ headers }, at, access) => admit(String(headers['x-test-person'] ?? ''), at, access !== 'read'),
    async admitPerson({ headers }, at) {
      const text = String(headers['x-test-person'] ?? '')
      if (!text.endsWith('!')) throw new Problem('browser_session_required')
      return await admit(text, at, true)
    },
    notify: () => undefined,
  }
}

export interface NodeOptions {
  readonly databaseUrl?: string
  readonly clock?: Clock
  /** It does nothing by itself: the test does that, at times of its own. */
  readonly isIdle?: boolean
  readonly bus?: Bus
  /** A broker beside the node, and not the one inside it. */
  readonly beside?: BrokerBeside
  readonly simulation?: Simulation
  readonly recording?: Partial<RecordingSettings>
  readonly objectsFolder?: string
  /** Devices connect over WebSocket. */
  readonly isOverWebSocket?: boolean
  readonly tracing?: Tracing | undefined
}

/** Of a page that may be a device. */
export const PAGE_ORIGIN = 'https://patchbay.example'

export interface BrokerBeside {
  readonly rabbitmq: Pick<RunningRabbitmq, 'url' | 'managementUrl' | 'username' | 'password' | 'port'>
  readonly secret: string
  /** From now on it asks this node. */
  serve(url: string): void
}

/** The broker of a node, and where devices connect to it. */
async function openBroker(log: Log, beside: BrokerBeside | undefined): Promise<[Broker, number]> {
  if (beside === undefined) {
    const listen = { host: '127.0.0.1', port: 0, connections: 1_000, allowedOrigins: [PAGE_ORIGIN] }
    const broker = await createEmbeddedBroker({ log, listen })
    return [broker, broker.port ?? 0]
  }
  const { url, managementUrl, username, password, port } = beside.rabbitmq
  const node = `test-${randomBytes(6).toString('hex')}`
  const broker = createExternalBroker({
    url,
    managementUrl,
    username,
    node,
    log,
    password: new Secret(password),
  })
  return [broker, port]
}

/** One node on a database of its own, with the workspaces `ada/board` and `ada/other`. */
export async function startDevices(options: NodeOptions = {}): Promise<DevicesNode> {
  await using cleanup = new AsyncDisposableStack()
  const { clock = systemClock, tracing } = options
  const databaseUrl = options.databaseUrl ?? cleanup.use(await migratedDatabase()).url
  const log = createLog({ level: 'silent', process: 'server' })
  const database = cleanup.use(
    createDatabase<DevicesTables>({ url: databaseUrl, poolSize: 5, applicationName: 'test', log, tracing }),
  )
  const bus = options.bus ?? cleanup.use(createInProcessBus({ node: 'test', clock }))
  const [broker, port] = await openBroker(log, options.beside)
  cleanup.defer(() => broker.close())
  const objectsFolder = options.objectsFolder ?? (await mkdtemp(join(tmpdir(), 'patchbay-recordings-')))
  if (options.objectsFolder === undefined)
    cleanup.defer(() => rm(objectsFolder, { recursive: true, force: true }))
  const recordings = await createFileObjects({ root: objectsFolder, clock })
  const noted: Noted[] = []
  const metrics = createMetrics('server')
  const http = createHttp({
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    info: { title: 'test', version: '0', description: '' },
    node: 'test',
    log,
    metrics,
    checks: [],
    trustedProxies: [],
    rateLimits: { shared: bus.rateLimit, local: bus.rateLimit },
    tracing,
  })
  const devices = registerDevices(http.app, {
    db: database.db,
    clock,
    createSecret: () => randomBytes(32).toString('base64url'),
    log,
    metrics,
    bus,
    broker,
    workspaces: createWorkspaces(noted),
    settings: {
      mqtt: { host: '127.0.0.1', port, isTls: false },
      brokerSecret: options.beside === undefined ? undefined : new Secret(options.beside.secret),
      recording: {
        secondsDays: 7,
        minutesWeeks: 8,
        hoursDays: 365,
        fileDays: 30,
        ownerBytes: 1024 ** 3,
        ...options.recording,
      },
    },
    copy: database.copy,
    recordings,
    simulation: options.simulation,
    tracing,
  })
  if (options.isIdle !== true) devices.start()
  cleanup.defer(() => devices.stop())
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  options.beside?.serve(url)
  await waitUntil('the node is connected to the broker', () => broker.isUp, { deadlineMs: 30_000 })
  const clients = new Set<MqttClient>()
  cleanup.defer(async () => {
    for (const client of clients) await client.endAsync(true)
  })
  const owned = cleanup.move()
  const make = async (workspace: string) => {
    const [owner, repo] = workspace.split('/')
    await sql`insert into workspaces values (${owner}, ${repo}) on conflict do nothing`.execute(database.db)
  }
  await make('ada/board')
  await make('ada/other')
  const ask: DevicesNode['ask'] = (method, path, body, as = 'ada') =>
    fetch(`${url}/api/workspaces/editor/${path}`, {
      method,
      headers: { 'x-test-person': as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    url,
    databaseUrl,
    db: database.db,
    copy: database.copy,
    devices,
    broker,
    mqttPort: port,
    recordings,
    objectsFolder,
    noted,
    make,
    ask,
    async add(name, workspace = 'ada/board') {
      const answer = await ask('POST', `${workspace}/devices`, { name })
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
      const { key, device, connection } = (await answer.json()) as {
        key: string
        device: Device
        connection: { username: string; topic: string }
      }
      const { username, topic } = connection
      return {
        key,
        device,
        topic,
        username,
        async connect({
          key: password = key,
          clientId = `${username}-${randomBytes(4).toString('hex')}`,
          will,
          clean = true,
          port: at = port,
        } = {}) {
          const protocol = options.isOverWebSocket === true ? 'ws' : 'mqtt'
          const client = await mqtt.connectAsync(`${protocol}://127.0.0.1:${at}`, {
            username,
            password,
            clientId,
            clean,
            reconnectPeriod: 0,
            ...(will === undefined
              ? {}
              : { will: { topic: will, payload: Buffer.from('offline'), qos: 1, retain: true } }),
          })
          clients.add(client)
          return client
        },
      }
    },
    page(workspace = 'ada/board') {
      const [owner = '', repo = ''] = workspace.split('/')
      const news: DevicesNews[] = []
      const made: TestPage = {
        at: { owner, repo },
        browserId: randomBytes(8).toString('hex'),
        isBusy: false,
        news,
        send: (channel, message) => {
          if (channel === DEVICES_CHANNEL) news.push(message as DevicesNews)
        },
        watch: (...channels) =>
          devices.socket.receive(made, {
            type: 'watch',
            channels: channels.map((text) => {
              const [device, channel, rate = '30'] = text.split(' ')
              return { device, channel, rate: Number(rate) }
            }),
          }),
        leave: () => devices.socket.leave(made),
        values: () => news.flatMap((each) => (each.type === 'values' ? each.values : [])),
      }
      return made
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Such as `201`, or `409 device_exists`. */
export async function codeOf(answering: Response | Promise<Response>): Promise<string> {
  const answer = await answering
  if (answer.ok) return String(answer.status)
  return `${answer.status} ${((await answer.json()) as { code: string }).code}`
}

export async function jsonOf<T>(answering: Promise<Response>): Promise<T> {
  return (await (await answering).json()) as T
}
