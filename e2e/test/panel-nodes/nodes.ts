import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase } from '@patchbay/kernel/postgres'
import { type Browser, openPage, sharedChromium, type WatchedPage } from '@patchbay/testkit/chromium'
import { startRedis } from '@patchbay/testkit/redis'
import { buildApp } from '@patchbay/web/test/build-app'
import { beforeAll } from 'vitest'
import { objectsUrl } from '../identity/journey/site.ts'
import { type ServerProcess, startServerProcess } from '../identity/servers.ts'
import { signIn } from '../identity-pages/people.ts'
import { type Account, type Books, makeAccount } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'
import { makeWorkspace, type Workspace } from '../workspace-pages/workspace.ts'
import { startBalancer, type Way } from './balancer.ts'
import { listenIn, type Overheard } from './overheard.ts'

/** Server processes on one PostgreSQL and one Redis, and what stands in front of them. They end with the process. */
export interface Nodes extends AsyncDisposable, Books {
  /** As browsers know it. */
  readonly url: string
  readonly one: ServerProcess
  readonly other: ServerProcess
  /** A further one, for a test that ends it. */
  startNode(): Promise<ServerProcess>
  way(word: string): Way
}

/** A workspace as scripts reach it at each of the nodes. */
export interface SharedWorkspace {
  readonly owner: Account
  readonly path: string
  readonly atOne: Workspace
  readonly atOther: Workspace
}

/** A browser with the workspace open, what lies between it and its node, and what both have said. */
export interface OpenPage extends WatchedPage, Overheard {
  readonly way: Way
}

export interface OpenOptions {
  readonly node: ServerProcess
  /** Where the page comes from, unless from the browser that all tests of the file share. */
  readonly newPage?: (userAgent: string) => Promise<WatchedPage>
  readonly expectedFaults?: readonly RegExp[]
}

export interface NodesBench {
  readonly nodes: Nodes
  make(): Promise<SharedWorkspace>
  open(workspace: SharedWorkspace, options: OpenOptions): Promise<OpenPage>
}

const VIEWPORT = { width: 1000, height: 700 }

let shared: Promise<Nodes> | undefined

/** Two nodes and two browsers for all test files of a process; a workspace of its own for each test. */
export function useNodes(): NodesBench {
  let nodes: Nodes
  let browsers: readonly [Browser, Browser]
  beforeAll(async () => {
    shared ??= startNodes()
    const other = sharedChromium({ args: ['--user-agent=other'] })
    ;[nodes, ...browsers] = await Promise.all([shared, sharedChromium(), other])
  }, 120_000)
  return {
    get nodes() {
      return nodes
    },
    async make() {
      const owner = await makeAccount(nodes, `ada-${randomBytes(3).toString('hex')}`)
      const at = ({ url }: ServerProcess) =>
        makeWorkspace({ site: { ...nodes, url } }, owner, owner.handle, 'lamp')
      const atOne = await at(nodes.one)
      const atOther = await at(nodes.other)
      return { owner, path: atOne.path, atOne, atOther }
    },
    async open(workspace, { node, newPage, expectedFaults = [] }) {
      const word = `browser-${randomBytes(4).toString('hex')}`
      const way = nodes.way(word)
      way.prefer(node.port)
      const userAgent = `Mozilla/5.0 (X11; Linux x86_64) Chrome/140 ${word}`
      const browser = browsers[node === nodes.one ? 0 : 1]
      const watched = await (newPage?.(userAgent) ??
        openPage(browser, { viewport: VIEWPORT, userAgent, expectedFaults }))
      const { page } = watched
      // Shorter than a test may take, so that what failed is named.
      page.setDefaultTimeout(20_000)
      const overheard = listenIn(page)
      await signIn(nodes, page, workspace.owner)
      await page.goto(nodes.url + workspace.path)
      await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
      return { ...watched, ...overheard, way }
    },
  }
}

async function startNodes(): Promise<Nodes> {
  await using cleanup = new AsyncDisposableStack()
  const [database, redis, balancer, webRoot] = await Promise.all([
    preparedDatabase(),
    startRedis(),
    startBalancer(),
    buildApp(),
  ])
  for (const part of [database, redis, balancer]) cleanup.use(part)
  const url = `http://localhost:${balancer.port}`
  const objects = await objectsUrl(cleanup)
  process.once('exit', () => rmSync(fileURLToPath(objects), { recursive: true, force: true }))
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PATCHBAY_PUBLIC_URL: url,
    PATCHBAY_WEB_ROOT: webRoot,
    PATCHBAY_OBJECTS_URL: objects,
    PATCHBAY_LOG_LEVEL: 'warn',
    PATCHBAY_PANEL_ACTIONS_PER_MINUTE: '1000000',
  }
  const startNode = () => startServerProcess(settings)
  const [one, other] = await Promise.all([1, 2].map(async () => cleanup.use(await startNode())))
  if (one === undefined || other === undefined) throw new Error('there are no nodes')
  balancer.setNodes([one.port, other.port])
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 2, applicationName: 'test' }),
  )
  const owned = cleanup.move()
  return {
    url,
    db,
    one,
    other,
    startNode,
    way: (word) => balancer.way(word),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
