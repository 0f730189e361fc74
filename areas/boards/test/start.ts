import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BoardEngine, BoardJob, BoardQuestion, BoardReport } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { createInProcessBus } from '@patchbay/kernel/bus'
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
import { cloneDatabase } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { registerBoards } from '../src/boards.routes.ts'
import { createCollection } from '../src/collection.store.ts'
import type { Asking } from '../src/deps.ts'
import { type Installation, inspectKicad } from '../src/installation.io.ts'
import { findEngine } from '../src/job.store.ts'
import type { InputFile } from '../src/job.ts'
import { noteWorker } from '../src/queue.store.ts'
import type { SandboxLimits } from '../src/sandbox.io.ts'
import { registerSchematic, type SchematicDeps } from '../src/schematic.routes.ts'
import { type BoardsTables, boardsMigrations } from '../src/tables.ts'
import { createWorker, type Worker } from '../src/worker.io.ts'
import { archiveOf, type LibraryPackage } from './packages.ts'

export const KICAD = '/usr/bin/kicad-cli'
export const DEMOS = '/usr/share/kicad/demos'
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
/** What needs the engine is skipped, visibly, where it is not installed. */
export const hasKicad = (await isThere(KICAD)) && (await isThere('/usr/bin/bwrap')) && (await isThere(DEMOS))

/** Of what a test announces. */
export const ENGINE = '9.0.8+test'

export const LIMITS: SandboxLimits = {
  memoryBytes: 4 * 1024 ** 3,
  seconds: 300,
  outputBytes: 512 * 1024 ** 2,
  outputFiles: 200,
}

const workspaceMigrations = { area: 'workspaces', folder: new URL('./workspaces/', import.meta.url) }

export async function migratedDatabase() {
  const migrations = await collectMigrations([kernelMigrations, workspaceMigrations, boardsMigrations])
  return await cloneDatabase({
    fingerprint: fingerprintOf(migrations),
    migrate: (url) => migrate({ url, migrations }),
  })
}

export type Files = Readonly<Record<string, string | Uint8Array>>

export interface WorkerOptions {
  readonly limits?: Partial<SandboxLimits>
  readonly leaseMs?: number
  readonly jobsAtOnce?: number
  readonly tellMs?: number
  /** The folder of what is installed with KiCad; nothing is unless given. */
  readonly symbols?: string
}

export interface BoardsNode extends AsyncDisposable {
  readonly url: string
  readonly databaseUrl: string
  readonly folder: string
  readonly db: Db<BoardsTables>
  readonly files: ObjectStore
  readonly results: ObjectStore
  readonly libraries: ObjectStore
  readonly collection: ReturnType<typeof createCollection>
  make(workspace: string, files?: Files): Promise<void>
  remove(workspace: string): Promise<void>
  /** The text of a file as it is now. */
  read(workspace: string, path: string): Promise<string>
  write(workspace: string, files: Files): Promise<void>
  /** Makes a version of a package that anybody but `stranger` may read, the latest of it. */
  publish(what: LibraryPackage): Promise<{ readonly sha256: string }>
  /** Takes a package from the registry. */
  unpublish(identifier: string): void
  startWorker(options?: WorkerOptions): Promise<Worker>
  /** Tells them to stop at once. */
  stopWorkers(): Promise<void>
  /** As if a worker had just said that it is there, which asks for no job. */
  announce(engine?: string): Promise<void>
  boards(workspace: string, person?: string): BoardsCaller
}

export interface BoardsCaller {
  ask(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Starts a job and waits until it has ended. */
  run(question: BoardQuestion): Promise<BoardJob>
  start(question: BoardQuestion): Promise<{ readonly status: number; readonly job: BoardJob }>
  ended(id: string): Promise<BoardJob>
  result(job: BoardJob, name: string): Promise<Response>
  report(job: BoardJob): Promise<BoardReport>
  engine(): Promise<BoardEngine>
}

interface Tree {
  revision: number
  files: Map<string, InputFile>
}

let installation: Promise<Installation> | undefined

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-boards-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Routes on a database of their own, with files of workspaces that the test writes. `reader` may read, others too; nobody is nobody. */
export async function startBoards({
  clock = systemClock,
}: {
  readonly clock?: Clock
} = {}): Promise<BoardsNode> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await temporaryFolder()).path
  const { url: databaseUrl } = cleanup.use(await migratedDatabase())
  const log = createLog({ level: 'silent', process: 'server' })
  const { db } = cleanup.use(
    createDatabase<BoardsTables>({
      url: databaseUrl,
      poolSize: 10,
      acquireTimeoutMs: 20_000,
      statementTimeoutMs: 20_000,
      applicationName: 'test',
      log,
    }),
  )
  const files = cleanup.use(await createFileObjects({ root: join(folder, 'files') }))
  const results = cleanup.use(await createFileObjects({ root: join(folder, 'results') }))
  const libraries = cleanup.use(await createFileObjects({ root: join(folder, 'libraries') }))
  const trees = new Map<string, Tree[]>()
  const packages = new Map<string, (LibraryPackage & { archive: Buffer; sha256: string })[]>()
  const { rateLimit } = createInProcessBus({ node: 'test', clock })
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
    rateLimits: { shared: rateLimit, local: rateLimit },
  })
  const deps = { db, clock, log, results, libraries: { objects: libraries } }
  const admit = ({ headers }: Asking, { owner, repo }: WorkspaceRef): string => {
    const person = headers['x-test-person']
    if (person === undefined) throw new Problem('sign_in_required')
    if (person === 'stranger') throw new Problem('not_permitted')
    if (!trees.has(`${owner}/${repo}`)) throw new Problem('workspace_not_found')
    return String(person)
  }
  const area = registerBoards(http.app, {
    ...deps,
    metrics,
    files: {
      async admit(request, at) {
        return { by: admit(request, at) }
      },
      async list({ owner, repo }, pattern, revision) {
        const all = trees.get(`${owner}/${repo}`) ?? []
        const tree = revision === undefined ? all.at(-1) : all[revision - 1]
        if (tree === undefined) return { revision: 0, files: [] }
        return {
          revision: tree.revision,
          files: [...tree.files.values()].filter(({ path }) => pattern.test(path)),
        }
      },
    },
    libraries: {
      objects: libraries,
      folder: join(folder, 'spool'),
      async admit(request, at) {
        const by = admit(request, at)
        if (by === 'reader') throw new Problem('not_permitted')
        return {
          by,
          async lock(tx) {
            const { rows } = await sql`
              select from workspaces where owner = ${at.owner} and repo = ${at.repo} for update`.execute(tx)
            if (rows.length === 0) throw new Problem('workspace_not_found')
            return async () => undefined
          },
        }
      },
      async find(_request, identifier, version) {
        const versions = packages.get(identifier) ?? []
        const found =
          version === undefined ? versions.at(-1) : versions.find((one) => one.version === version)
        if (found === undefined) throw new Problem('package_not_found')
        const { archive, sha256, type = 'library' } = found
        const size = archive.byteLength
        const open = async () => Readable.from([archive], { objectMode: false })
        return { name: `Package ${identifier}`, type, version: found.version, sha256, size, open }
      },
    },
  })
  registerSchematic(http.app, {
    db,
    clock,
    libraries,
    createId: randomUUID,
    rewrite: async (request, at, what, by) =>
      await rewriteAll(
        request,
        at,
        what,
        async (readOne) => new Map([[what.path, by(await readOne(what.path))]]),
      ),
    rewriteAll: (request, at, what, by) => rewriteAll(request, at, what, by),
  })
  cleanup.defer(() => area.stop())
  const url = await http.app.listen({ host: '127.0.0.1', port: 0 })
  cleanup.defer(() => http.drain(1_000))
  const workers: Worker[] = []
  const stopWorkers = async () => void (await Promise.all(workers.splice(0).map((worker) => worker.stop(0))))
  cleanup.defer(stopWorkers)
  const write = async (workspace: string, given: Files) => {
    const all = trees.get(workspace) ?? []
    const tree = new Map(all.at(-1)?.files)
    for (const [path, content] of Object.entries(given)) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
      const { sha256, size } = await files.put(Readable.from([bytes], { objectMode: false }))
      tree.set(path, { path, sha256, size })
    }
    trees.set(workspace, [...all, { revision: all.length + 1, files: tree }])
  }
  const read = async (workspace: string, path: string): Promise<string> => {
    const file = trees.get(workspace)?.at(-1)?.files.get(path)
    if (file === undefined) throw new Problem('file_not_found')
    return String(await files.read(file.sha256, file.size))
  }
  const rewriteAll: SchematicDeps['rewriteAll'] = async (request, at, _what, by) => {
    if (admit(request, at) === 'reader') throw new Problem('not_permitted')
    const workspace = `${at.owner}/${at.repo}`
    const edits = await by((path) => read(workspace, path))
    const after = new Map<string, string>()
    for (const [path, each] of edits)
      after.set(
        path,
        each.reduceRight(
          (now, edit) => now.slice(0, edit.at) + edit.text + now.slice(edit.at + edit.length),
          await read(workspace, path),
        ),
      )
    await write(workspace, Object.fromEntries(after))
    const isChanged = [...edits.values()].some((each) => each.length > 0)
    return { revision: trees.get(workspace)?.length ?? 0, isChanged }
  }
  const owned = cleanup.move()
  const refOf = (workspace: string) => workspace.split('/') as [string, string]
  return {
    url,
    databaseUrl,
    folder,
    db,
    files,
    results,
    libraries,
    collection: createCollection(deps),
    write,
    read,
    async make(workspace, given = {}) {
      const [owner, repo] = refOf(workspace)
      await sql`insert into workspaces values (${owner}, ${repo})`.execute(db)
      await write(workspace, given)
    },
    async remove(workspace) {
      const [owner, repo] = refOf(workspace)
      await sql`delete from workspaces where owner = ${owner} and repo = ${repo}`.execute(db)
      trees.delete(workspace)
    },
    async publish(what) {
      const archive = await archiveOf(what)
      const sha256 = sha256Of(archive)
      packages.set(what.identifier, [...(packages.get(what.identifier) ?? []), { ...what, archive, sha256 }])
      return { sha256 }
    },
    unpublish(identifier) {
      packages.delete(identifier)
    },
    async startWorker({ limits = {}, leaseMs = 5_000, jobsAtOnce = 1, tellMs, symbols } = {}) {
      const place = join(folder, 'work')
      installation ??= inspectKicad(KICAD, place, LIMITS)
      const { engine, version } = await installation
      const worker = createWorker({
        ...deps,
        id: `test-${randomBytes(4).toString('hex')}`,
        createNonce: () => randomBytes(16).toString('base64url'),
        files,
        libraries,
        kicad: {
          program: KICAD,
          limits: { ...LIMITS, ...limits },
          engine: symbols === undefined ? engine : `${engine}.symbols`,
          version,
          symbols: symbols ?? '/nowhere',
        },
        folder: place,
        settings: { jobsAtOnce, leaseMs, ...(tellMs === undefined ? {} : { tellMs }) },
      })
      await worker.start()
      workers.push(worker)
      await waitUntil('the worker is known', async () => (await findEngine(db, clock.now())).workers > 0)
      return worker
    },
    stopWorkers,
    announce: (engine = ENGINE) =>
      noteWorker(db, { id: `announced ${engine}`, engine, version: engine.split('+')[0] ?? '' }, clock.now()),
    boards: (workspace, person = 'ada') =>
      createCaller(`${url}/api/workspaces/editor/${workspace}/boards`, person),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function createCaller(base: string, person: string): BoardsCaller {
  const ask: BoardsCaller['ask'] = (method, path, json, headers = {}) =>
    fetch(base + path, {
      method,
      headers: {
        'x-test-person': person,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
  const jobOf = async (answer: Response) => (await (await success(answer)).json()) as BoardJob
  const ended = async (id: string): Promise<BoardJob> => {
    for (;;) {
      const job = await jobOf(await ask('GET', `/jobs/${id}?wait=30`))
      if (job.state !== 'queued' && job.state !== 'running') return job
    }
  }
  const start: BoardsCaller['start'] = async (question) => {
    const answer = await success(await ask('POST', '/jobs', question))
    return { status: answer.status, job: (await answer.json()) as BoardJob }
  }
  const result: BoardsCaller['result'] = async ({ id }, name) =>
    await success(await ask('GET', `/jobs/${id}/results/${name}`))
  return {
    ask,
    start,
    ended,
    result,
    run: async (question) => await ended((await start(question)).job.id),
    report: async (job) => (await (await result(job, 'report.json')).json()) as BoardReport,
    engine: async () => (await (await success(await ask('GET', '/engine'))).json()) as BoardEngine,
  }
}

/** The answer, which must not be a refusal. */
export async function success(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer
}

/** Such as `201`, or `422 board_file_refused`. */
export async function codeOf(answering: Response | Promise<Response>): Promise<string> {
  const answer = await answering
  if (answer.ok || answer.status === 304) return String(answer.status)
  return `${answer.status} ${((await answer.json()) as { code: string }).code}`
}

/** A project that KiCad brings with it, as the files of a workspace. */
export async function demo(name: string, within = ''): Promise<Record<string, Uint8Array>> {
  const root = join(DEMOS, name)
  const found = await readdir(root, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      files.map(async (path) => [within + path.slice(root.length + 1), await readFile(path)] as const),
    ),
  )
}

export const sha256Of = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
