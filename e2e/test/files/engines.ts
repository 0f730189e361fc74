import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ContentTables, createCollection } from '@patchbay/content'
import type { IdentityTables } from '@patchbay/identity'
import { createLog, Secret } from '@patchbay/kernel/log'
import { createObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createDatabase, type Db } from '@patchbay/kernel/postgres'
import { startPostgres } from '@patchbay/testkit/postgres'
import { radosgwAvailable, startRadosgw } from '@patchbay/testkit/radosgw'
import { startRedis } from '@patchbay/testkit/redis'
import { type ServerProcess, startServerProcess } from '../identity/servers.ts'
import { preparedDatabase } from '../installation/database.ts'

/** Two server processes, and the engines below them that a test can take away. */
export interface Engines extends AsyncDisposable {
  readonly db: Db<ContentTables & IdentityTables>
  /** Where the bytes of files are. */
  readonly objects: ObjectStore
  readonly storeKind: StoreKind
  /** Of the nodes that run. */
  nodeUrls(): readonly string[]
  /** The one that has run for longest, with what it is doing. */
  killNode(): Promise<void>
  startNode(): Promise<void>
  killDatabase(): Promise<void>
  startDatabase(): Promise<void>
  killStore(): Promise<void>
  startStore(): Promise<void>
  /** As it would be in some days: what nobody names goes at once. */
  collect(days: number): Promise<void>
  /** What nodes have said last, beside that an engine is away. */
  logs(): string
}

type StoreKind = 'radosgw' | 'folder'

interface Killable {
  kill(): Promise<void>
  start(): Promise<void>
}

interface Store extends Killable {
  /** As the server is told of it. */
  readonly settings: Readonly<Record<string, string>>
  /** Of what belongs to files alone. */
  open(): Promise<ObjectStore>
}

const BUCKET = 'patchbay'
const NODES = 2
const DAY_MS = 24 * 60 * 60_000
const LOG_LINES = 20

/** Engines that are not to be killed are those that other tests use, or that start at once. */
export async function startEngines({ mayKill }: { readonly mayKill: boolean }): Promise<Engines> {
  await using cleanup = new AsyncDisposableStack()
  const storeKind = mayKill && radosgwAvailable() ? 'radosgw' : 'folder'
  const [database, redis, store] = await Promise.all([
    mayKill ? startOwnDatabase(cleanup) : shareDatabase(cleanup),
    startRedis().then((started) => cleanup.use(started)),
    storeKind === 'radosgw' ? startBucket(cleanup) : startFolder(cleanup),
  ])
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PATCHBAY_PUBLIC_URL: 'http://localhost:8790',
    PATCHBAY_PROXY_URL: 'off',
    PATCHBAY_LOG_LEVEL: 'warn',
    PATCHBAY_FILE_REQUESTS_PER_MINUTE: '1000000',
    ...store.settings,
  }
  const started: ServerProcess[] = []
  const running: ServerProcess[] = []
  cleanup.defer(async () => void (await Promise.all(running.map((node) => node.kill('SIGKILL')))))
  const startNode = async () => {
    const node = await startServerProcess(settings)
    started.push(node)
    running.push(node)
  }
  await Promise.all(Array.from({ length: NODES }, startNode))
  const { db } = cleanup.use(
    createDatabase<ContentTables & IdentityTables>({
      url: database.url,
      poolSize: 4,
      statementTimeoutMs: 60_000,
      applicationName: 'test',
    }),
  )
  const objects = cleanup.use(await store.open())
  const log = createLog({ level: 'silent', process: 'server' })
  const collect = async (days: number) => {
    const clock = { now: () => new Date(Date.now() + days * DAY_MS) }
    await createCollection({ db, objects, clock, log }).sweep()
  }
  const owned = cleanup.move()
  return {
    db,
    objects,
    storeKind,
    nodeUrls: () => running.map(({ url }) => url),
    // Nobody is sent there anymore, as behind a balancer; what is under way breaks.
    killNode: async () => await running.shift()?.kill('SIGKILL'),
    startNode,
    killDatabase: () => database.kill(),
    startDatabase: () => database.start(),
    killStore: () => store.kill(),
    startStore: () => store.start(),
    collect,
    logs() {
      const lines = started.flatMap((node) => node.logs().split('\n'))
      return lines
        .filter((line) => !/"status":503|connection lost/.test(line))
        .slice(-LOG_LINES)
        .join('\n')
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function startOwnDatabase(cleanup: AsyncDisposableStack): Promise<Killable & { readonly url: string }> {
  const postgres = cleanup.use(await startPostgres())
  return {
    url: await postgres.createDatabase('patchbay'),
    kill: () => postgres.kill(),
    start: () => postgres.restart(),
  }
}

async function shareDatabase(cleanup: AsyncDisposableStack): Promise<Killable & { readonly url: string }> {
  const { url } = cleanup.use(await preparedDatabase())
  const refuse = async () => {
    throw new Error('other tests use this PostgreSQL')
  }
  return { url, kill: refuse, start: refuse }
}

async function startBucket(cleanup: AsyncDisposableStack): Promise<Store> {
  const radosgw = cleanup.use(await startRadosgw())
  await radosgw.createBucket(BUCKET)
  const { endpoint, region, accessKeyId, secretAccessKey } = radosgw
  const query = new URLSearchParams({ endpoint, region, path_style: 'true' }).toString()
  const spoolDir = await temporaryFolder(cleanup)
  return {
    settings: {
      PATCHBAY_OBJECTS_URL: `s3://${BUCKET}?${query}`,
      PATCHBAY_OBJECTS_ACCESS_KEY_ID: accessKeyId,
      PATCHBAY_OBJECTS_SECRET_ACCESS_KEY: secretAccessKey,
    },
    open: () =>
      createObjects({
        url: `s3://${BUCKET}/files?${query}`,
        accessKeyId,
        secretAccessKey: new Secret(secretAccessKey),
        spoolDir,
      }),
    kill: () => radosgw.kill(),
    start: () => radosgw.restart(),
  }
}

/** A disk that is unmounted for a while: a folder has no process that could be killed. */
async function startFolder(cleanup: AsyncDisposableStack): Promise<Store> {
  const folder = await temporaryFolder(cleanup)
  const [mounted, elsewhere] = [join(folder, 'objects'), join(folder, 'unmounted')]
  return {
    settings: { PATCHBAY_OBJECTS_URL: pathToFileURL(mounted).href },
    open: () => createObjects({ url: pathToFileURL(join(mounted, 'files')).href }),
    kill: () => rename(mounted, elsewhere),
    start: () => rename(elsewhere, mounted),
  }
}

async function temporaryFolder(cleanup: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-files-'))
  cleanup.defer(() => rm(path, { recursive: true, force: true }))
  return path
}
