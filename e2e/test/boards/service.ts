import { access, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BoardJob, BoardQuestion } from '@patchbay/contracts/boards'
import type { IdentityTables } from '@patchbay/identity'
import { createDatabase, type Db } from '@patchbay/kernel/postgres'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { startServerProcess } from '../identity/servers.ts'
import { makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'
import { preparedDatabase } from '../installation/database.ts'

const CLI = fileURLToPath(new URL('../../../apps/cli/test/command.ts', import.meta.url))
const PUBLIC_URL = 'http://localhost:8790'
const DEMOS = '/usr/share/kicad/demos'

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
export const hasKicad =
  (await isThere('/usr/bin/kicad-cli')) && (await isThere('/usr/bin/bwrap')) && (await isThere(DEMOS))

/** A server and workers as an operator starts them: processes, on one database and one folder of objects. */
export interface BoardService extends AsyncDisposable {
  readonly db: Db<IdentityTables>
  readonly url: string
  /** For further nodes. */
  readonly environment: Readonly<Record<string, string>>
  /** Of ada's browser. */
  readonly session: string
  readonly key: string
  startWorker(environment?: Record<string, string>): Promise<RunningProcess>
  /** Of `ada/board`, with a key that may read and write its files. */
  ask(method: string, path: string, body?: unknown): Promise<Response>
  write(files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): Promise<void>
  start(question: BoardQuestion): Promise<BoardJob>
  ended(id: string): Promise<BoardJob>
}

export async function startBoardService(more: Record<string, string> = {}): Promise<BoardService> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-board-service-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  const database = cleanup.use(await preparedDatabase())
  const { db } = cleanup.use(
    createDatabase<IdentityTables>({ url: database.url, poolSize: 2, applicationName: 'test' }),
  )
  const shared = {
    DATABASE_URL: database.url,
    PATCHBAY_OBJECTS_URL: pathToFileURL(join(folder, 'objects')).href,
  }
  const environment = {
    ...shared,
    PATCHBAY_PUBLIC_URL: PUBLIC_URL,
    PATCHBAY_PROXY_URL: 'off',
    PATCHBAY_FILE_REQUESTS_PER_MINUTE: '1000000',
    PATCHBAY_LOG_LEVEL: 'warn',
    ...more,
  }
  const server = cleanup.use(await startServerProcess(environment))
  const session = await openSession({ db }, await makeAccount({ db }, 'ada'))
  const page = pageHeaders(session, PUBLIC_URL)
  const { 'content-type': _, ...plain } = page
  await requireOk(
    await fetch(`${server.url}/api/workspaces/editor/ada/board`, { method: 'PUT', headers: plain }),
  )
  const made = await fetch(`${server.url}/auth/keys`, {
    method: 'POST',
    headers: page,
    body: JSON.stringify({ name: 'test', scopes: ['files:write:ada/*', 'files:read:ada/*', 'panels:ada/*'] }),
  })
  const { key } = (await (await requireOk(made)).json()) as { key: string }
  const base = `${server.url}/api/workspaces/editor/ada/board`
  const ask: BoardService['ask'] = async (method, path, body) =>
    await fetch(base + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const owned = cleanup.move()
  return {
    db,
    url: server.url,
    environment,
    session,
    key,
    ask,
    async startWorker(settings = {}) {
      const { PATH = '', TMPDIR = tmpdir() } = process.env
      const worker = startProcess(process.execPath, [CLI, 'worker'], {
        env: {
          PATH,
          TMPDIR,
          PATCHBAY_WORKER_FOLDER: join(folder, 'work'),
          PATCHBAY_WORKER_LEASE_SECONDS: '5',
          ...shared,
          ...settings,
        },
        cwd: folder,
      })
      owned.use(worker)
      await waitUntil('the worker works', () => worker.output().includes('"working"'), {
        deadlineMs: 120_000,
      }).catch((error: unknown) => {
        throw new Error(worker.output(), { cause: error })
      })
      return worker
    },
    async write(files) {
      for (const [path, bytes] of Object.entries(files))
        await requireOk(
          await fetch(`${base}/files/content?path=${encodeURIComponent(path)}`, {
            method: 'PUT',
            headers: { 'x-api-key': key, 'content-type': 'application/octet-stream', 'if-match': '*' },
            body: bytes,
          }),
        )
    },
    async start(question) {
      return (await (await requireOk(await ask('POST', '/boards/jobs', question))).json()) as BoardJob
    },
    async ended(id) {
      for (;;) {
        const answer = await requireOk(await ask('GET', `/boards/jobs/${id}?wait=30`))
        const job = (await answer.json()) as BoardJob
        if (job.state !== 'queued' && job.state !== 'running') return job
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function requireOk(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer
}

/** A project that KiCad brings with it. */
export async function readDemo(name: string): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const found = await readdir(join(DEMOS, name), { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.map(
    async (path) => [path.slice(join(DEMOS, name).length + 1), new Uint8Array(await readFile(path))] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}
