import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContentFile } from '@patchbay/contracts/content'
import { Problem } from '@patchbay/contracts/core'
import { type Bus, createInProcessBus } from '@patchbay/kernel/bus'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { createHttp } from '@patchbay/kernel/http'
import { createLog } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import {
  collectMigrations,
  createDatabase,
  type Db,
  fingerprintOf,
  kernelMigrations,
  migrate,
} from '@patchbay/kernel/postgres'
import { type ClonedDatabase, cloneDatabase } from '@patchbay/testkit/postgres'
import { sql } from 'kysely'
import { createCollection } from '../src/collection.store.ts'
import { registerContent } from '../src/content.routes.ts'
import type { ContentDeps, Workspaces } from '../src/deps.ts'
import type { Editing } from '../src/editing.socket.ts'
import { type ContentTables, contentMigrations } from '../src/tables.ts'

const workspaceMigrations = { area: 'workspaces', folder: new URL('./workspaces/', import.meta.url) }

export async function migratedDatabase(): Promise<ClonedDatabase> {
  const migrations = await collectMigrations([kernelMigrations, workspaceMigrations, contentMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

export interface ContentNodeOptions {
  readonly databaseUrl: string
  readonly folder: string
  readonly clock?: Clock
  readonly bus?: Bus
  readonly objects?: ObjectStore
  readonly ownerBytes?: number
}

export interface Noted {
  readonly by: string
  readonly action: string
  readonly reason: string | undefined
}

export interface ContentNode extends AsyncDisposable {
  readonly url: string
  readonly db: Db<ContentTables>
  readonly objects: ObjectStore
  readonly collection: ReturnType<typeof createCollection>
  readonly editing: Editing
  readonly bus: Bus
  readonly noted: readonly Noted[]
  /** Whoever is in it has lost their access since they were admitted. */
  readonly ended: Set<string>
  make(workspace: string): Promise<void>
  remove(workspace: string): Promise<void>
  files(workspace: string, handle?: string): FilesCaller
}

/** One workspace's files, as somebody asks for them. */
export interface FilesCaller {
  ask(method: string, path: string, options?: AskOptions): Promise<Response>
  put(path: string, text: string, ifMatch?: string): Promise<Response>
  /** Uploads what a change will name. */
  upload(text: string): Promise<string>
  change(operations: readonly object[], more?: object): Promise<Response>
  read(path: string, query?: string): Promise<string>
  /** Every path with its text. */
  tree(): Promise<Record<string, string>>
  list(query?: string): Promise<{
    revision: number
    files: ContentFile[]
    folders: { path: string; files: number; bytes: number }[]
    nextCursor: string | null
  }>
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly json?: unknown
}

export const sha256Of = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')

/** People are whom the request says they are. Everybody may write; `reader` may read. */
function createWorkspaces(noted: Noted[], ended: ReadonlySet<string>): Workspaces {
  return {
    async admit({ headers }, { owner, repo }, access) {
      const handle = String(headers['x-test-person'] ?? '')
      if (handle === '') throw new Problem('sign_in_required')
      if (handle === 'reader' && access === 'write') throw new Problem('not_permitted')
      return {
        party: { kind: 'api_key', name: `${handle}'s key`, handle },
        async lock(tx) {
          const { rows } = await sql`
            select from workspaces where owner = ${owner} and repo = ${repo} for no key update`.execute(tx)
          if (rows.length === 0) throw new Problem('workspace_not_found')
          if (ended.has(handle)) throw new Problem('access_ended')
          return async (action, reason) => void noted.push({ by: handle, action, reason })
        },
      }
    },
    async lock(tx, { owner, repo }) {
      const { rows } = await sql`
        select from workspaces where owner = ${owner} and repo = ${repo} for no key update`.execute(tx)
      if (rows.length === 0) return undefined
      return async ({ handle }, action) => void noted.push({ by: handle, action, reason: undefined })
    },
    notify: () => undefined,
  }
}

export async function startContentNode(options: ContentNodeOptions): Promise<ContentNode> {
  await using cleanup = new AsyncDisposableStack()
  const { databaseUrl, folder, clock = systemClock } = options
  const log = createLog({ level: 'silent', process: 'server' })
  const database = cleanup.use(
    createDatabase<ContentTables>({
      url: databaseUrl,
      poolSize: 10,
      acquireTimeoutMs: 20_000,
      statementTimeoutMs: 20_000,
      applicationName: 'test',
      log,
    }),
  )
  const bus = options.bus ?? cleanup.use(createInProcessBus({ node: 'test', clock }))
  const objects = options.objects ?? cleanup.use(await createFileObjects({ root: join(folder, 'objects') }))
  const noted: Noted[] = []
  const ended = new Set<string>()
  const http = createHttp({
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
    info: { title: 'test', version: '0', description: '' },
    node: 'test',
    log,
    metrics: createMetrics('server'),
    checks: [],
    trustedProxies: [],
    rateLimits: {
      shared: createInProcessBus({ node: 'test', clock }).rateLimit,
      local: createInProcessBus({ node: 'test', clock }).rateLimit,
    },
  })
  const deps: ContentDeps = {
    db: database.db,
    clock,
    createSecret: () => randomBytes(32).toString('base64url'),
    log,
    bus,
    objects,
    workspaces: createWorkspaces(noted, ended),
    settings: { ownerBytes: options.ownerBytes ?? 20 * 1024 ** 3 },
  }
  const editing = registerContent(http.app, deps)
  cleanup.defer(() => editing.stop())
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  const owned = cleanup.move()
  const refOf = (workspace: string) => workspace.split('/') as [string, string]
  return {
    url,
    db: database.db,
    objects,
    collection: createCollection(deps),
    editing,
    bus,
    noted,
    ended,
    async make(workspace) {
      const [owner, repo] = refOf(workspace)
      await sql`insert into workspaces values (${owner}, ${repo})`.execute(database.db)
    },
    async remove(workspace) {
      const [owner, repo] = refOf(workspace)
      await sql`delete from workspaces where owner = ${owner} and repo = ${repo}`.execute(database.db)
    },
    files: (workspace, handle = 'ada') =>
      createFilesCaller(`${url}/api/workspaces/editor/${workspace}/files`, handle),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function createFilesCaller(base: string, handle: string): FilesCaller {
  const ask: FilesCaller['ask'] = (method, path, { headers = {}, body, json } = {}) =>
    fetch(base + path, {
      method,
      headers: {
        'x-test-person': handle,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body }),
    })
  const read = async (path: string, query = '') =>
    (await success(await ask('GET', `/content?path=${encodeURIComponent(path)}${query}`))).text()
  const list: FilesCaller['list'] = async (query = '') => (await success(await ask('GET', query))).json()
  return {
    ask,
    read,
    list,
    put: (path, text, ifMatch) =>
      ask('PUT', `/content?path=${encodeURIComponent(path)}`, {
        body: text,
        ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
      }),
    async upload(text) {
      const sha256 = sha256Of(text)
      await success(await ask('PUT', `/blobs/${sha256}`, { body: text }))
      return sha256
    },
    change: (operations, more = {}) => ask('POST', '/changes', { json: { operations, ...more } }),
    async tree() {
      const { files } = await list('?recursive=true&limit=1000')
      const texts = await Promise.all(files.map(async ({ path }) => [path, await read(path)] as const))
      return Object.fromEntries(texts)
    },
  }
}

/** The answer, which must not be a refusal. */
export async function success(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer
}

/** Such as `201`, or `412 file_changed`. */
export async function codeOf(answering: Response | Promise<Response>): Promise<string> {
  const answer = await answering
  if (answer.ok || answer.status === 304) return String(answer.status)
  return `${answer.status} ${((await answer.json()) as { code: string }).code}`
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-content-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The usual: one node on a database and a folder of its own, with the workspace `ada/board`. */
export async function startContent(
  options: Omit<ContentNodeOptions, 'databaseUrl' | 'folder'> = {},
): Promise<ContentNode & { readonly databaseUrl: string; readonly folder: string }> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder())
  const database = cleanup.use(await migratedDatabase())
  const node = cleanup.use(
    await startContentNode({ ...options, databaseUrl: database.url, folder: folder.path }),
  )
  await node.make('ada/board')
  const owned = cleanup.move()
  return {
    ...node,
    databaseUrl: database.url,
    folder: folder.path,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
