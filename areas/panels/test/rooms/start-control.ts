import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { type Bus, createInProcessBus, createRedisBus } from '@patchbay/kernel/bus'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { createHttp } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics, type Metrics } from '@patchbay/kernel/metrics'
import { createFileObjects } from '@patchbay/kernel/objects'
import { createOutbound } from '@patchbay/kernel/outbound'
import { createDatabase, type Db } from '@patchbay/kernel/postgres'
import { attachWebSockets, type WebSockets } from '@patchbay/kernel/websocket'
import type { RunningRedis } from '@patchbay/testkit/redis'
import type { Control, QueueRunner } from '../../src/control.ts'
import type { PanelsAccess } from '../../src/deps.ts'
import { type ControlNode, createControl } from '../../src/rooms/control.socket.ts'
import { CONTROL_TIMINGS, type ControlTimings } from '../../src/rooms/timings.ts'
import type { PanelsTables } from '../../src/tables.ts'
import { emptyWorkspace } from '../../src/workspaces/template.ts'
import { makeWorkspace } from '../../src/workspaces/workspace.store.ts'
import { createTestAccess } from '../access.ts'
import { migratedDatabase, temporaryFolder } from '../start.ts'
import { takeRedis } from '../take-redis.ts'
import { type BrowserOptions, openBrowser, type TestBrowser } from './browser.ts'

export const BOARD: WorkspaceRef = { owner: 'ada', repo: 'board' }
export const FIRST_LEAF = '11111111-1111-4111-8111-111111111111'

/** The parts of a node that the control channel needs, and nothing else of the area. */
export interface ControlUnderTest extends AsyncDisposable {
  readonly url: string
  readonly db: Db<PanelsTables>
  readonly bus: Bus
  readonly metrics: Metrics
  readonly control: Control
  readonly connect: ControlNode['connect']
  readonly webSockets: WebSockets
  readonly lines: readonly string[]
  readonly stop: ControlNode['stop']
  /** A page of ada's that has the board open, unless told otherwise; what it was sent first has arrived. */
  open(options?: Partial<BrowserOptions>): Promise<TestBrowser>
}

export interface ControlOptions {
  readonly databaseUrl: string
  readonly folder: string
  readonly bus?: Bus
  readonly node?: string
  readonly clock?: Clock
  readonly access?: PanelsAccess
  readonly runner?: QueueRunner
  readonly timings?: Partial<ControlTimings>
}

const NO_RUNNER: QueueRunner = { run: async () => undefined }

export async function startControlNode(options: ControlOptions): Promise<ControlUnderTest> {
  await using cleanup = new AsyncDisposableStack()
  const { databaseUrl, folder, node = 'test-1', clock = systemClock, access = createTestAccess() } = options
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'server',
    destination: { write: (line) => void lines.push(line) },
  })
  const { db } = cleanup.use(
    createDatabase<PanelsTables>({ url: databaseUrl, poolSize: 6, applicationName: node, log }),
  )
  const bus = cleanup.use(options.bus ?? createInProcessBus({ node, clock }))
  const objects = cleanup.use(await createFileObjects({ root: join(folder, 'objects') }))
  const outbound = cleanup.use(createOutbound({ userAgent: 'patchbay-test' }))
  const metrics = createMetrics('server')
  const publicUrl = 'http://patchbay.localhost'
  const hosts = { allowedHosts: ['127.0.0.1'], allowedOrigins: [publicUrl] }
  const http = createHttp({
    ...hosts,
    info: { title: 'test', version: '0', description: '' },
    node,
    log,
    metrics,
    checks: [],
    trustedProxies: [],
    rateLimits: { shared: bus.rateLimit, local: bus.rateLimit },
  })
  const webSockets = attachWebSockets(http.app.server, { ...hosts, log })
  const { control, connect, stop } = createControl(
    {
      db,
      clock,
      createSecret: () => randomBytes(32).toString('base64url'),
      log,
      metrics,
      objects,
      bus,
      outbound,
      access,
      prepareFiles: async () => async () => {},
      settings: {
        publicUrl,
        proxyUrl: undefined,
        actionsKeptDays: 90,
        actionsPerMinute: 1_000_000,
        fileRequestsPerMinute: 1_000_000,
      },
    },
    options.runner ?? NO_RUNNER,
    webSockets,
    { ...CONTROL_TIMINGS, ...options.timings },
  )
  http.app.addHook('preClose', stop)
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  cleanup.use(webSockets)
  const owned = cleanup.move()
  return {
    url,
    db,
    bus,
    metrics,
    control,
    connect,
    webSockets,
    lines,
    stop,
    open: (given) => openBrowser(url, given),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export interface Ground extends AsyncDisposable {
  readonly databaseUrl: string
  readonly folder: string
}

/** A database and a folder that nodes can share. */
export async function prepareGround(): Promise<Ground> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder())
  const database = cleanup.use(await migratedDatabase())
  const owned = cleanup.move()
  return {
    databaseUrl: database.url,
    folder: folder.path,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

type Rest = Omit<ControlOptions, 'databaseUrl' | 'folder' | 'bus'>

/** One node with an in-process bus, and the board. */
export async function startControl(options: Rest = {}): Promise<ControlUnderTest> {
  await using cleanup = new AsyncDisposableStack()
  const ground = cleanup.use(await prepareGround())
  const node = cleanup.use(await startControlNode({ ...ground, ...options }))
  await makeWorkspace(node.db, BOARD, emptyWorkspace(FIRST_LEAF), new Date())
  const owned = cleanup.move()
  return { ...node, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

export interface TwoNodes extends AsyncDisposable {
  readonly one: ControlUnderTest
  readonly two: ControlUnderTest
  readonly redis: RunningRedis
  readonly ground: Ground
}

/** Two nodes on one Redis and one database, and the board. */
export async function startTwoNodes(options: Rest = {}): Promise<TwoNodes> {
  await using cleanup = new AsyncDisposableStack()
  const ground = cleanup.use(await prepareGround())
  const redis = cleanup.use(await takeRedis())
  const start = async (node: string) =>
    cleanup.use(await startControlNode({ ...ground, ...options, node, bus: await openBus(redis.url, node) }))
  const one = await start('node-1')
  const two = await start('node-2')
  await makeWorkspace(one.db, BOARD, emptyWorkspace(FIRST_LEAF), new Date())
  const owned = cleanup.move()
  return { one, two, redis, ground, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** With more patience than the product has: here a dozen processes share two cores. */
export function openBus(url: string, node: string): Promise<Bus> {
  return createRedisBus({ url, node, clock: systemClock, commandTimeoutMs: 5_000 })
}

export async function storedLayout(node: Pick<ControlUnderTest, 'db'>, at = BOARD) {
  const { layout, version } = await node.db
    .selectFrom('workspaces')
    .select(['layout', 'version'])
    .where('owner', '=', at.owner)
    .where('repo', '=', at.repo)
    .executeTakeFirstOrThrow()
  return { layout, version }
}
