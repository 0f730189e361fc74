import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type Answered, askSuccess, loadWith, type Request } from '../http.ts'
import { insertPeople, insertSessions, openBrowsers } from '../identity/people.ts'
import { makeKey } from '../panels/places.ts'
import { startScript, temporaryFolder } from '../processes.ts'
import { inTurns, type Rounds } from '../report.ts'
import { startDatabase, startServer } from '../server.ts'
import { makeTree, readTree, requireSame, type TreeSizes } from './tree.ts'

const run = promisify(execFile)
const CLI = fileURLToPath(new URL('../../../apps/cli/src/main.ts', import.meta.url))
const BARE = new URL('./bare-files.ts', import.meta.url)
const UNLIMITED = '100000000'
const NAME = 'bench-0/tree'

export const COPIES = ['rsync', 'clone'] as const
export const SERVING = ['bare', 'with key', 'server'] as const

export interface Sizes extends TreeSizes {
  /** Of copying. */
  readonly copies: number
  /** Of listing and reading. */
  readonly rounds: number
  readonly seconds: number
}

export interface Served {
  readonly list: Answered
  readonly read: Answered
}

export interface Figures {
  readonly tree: { readonly files: number; readonly bytes: number }
  readonly pushMs: number
  readonly copies: Rounds<(typeof COPIES)[number], number>
  /** Of a pull without changes, after each clone. */
  readonly pullMs: readonly number[]
  readonly serving: Rounds<(typeof SERVING)[number], Served>
}

const PAGE = 200
const CONNECTIONS = 16
/** Small files, so that it is what surrounds them that is measured. */
const SMALL_FILES = 100
const SMALL_BYTES = 4_096

export async function measureFiles(sizes: Sizes): Promise<Figures> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(await temporaryFolder()).path
  const objects = join(folder, 'objects')
  const database = parts.use(await startDatabase())
  const serverStart = {
    databaseUrl: database.url,
    env: {
      PATCHBAY_OBJECTS_URL: pathToFileURL(objects).href,
      PATCHBAY_FILE_REQUESTS_PER_MINUTE: UNLIMITED,
    },
  }
  const server = parts.use(await startServer(serverStart))
  await insertPeople(database.client)
  await insertSessions(database.client)
  const [browser] = await openBrowsers(server.port)
  if (browser === undefined) throw new Error('nobody is there')
  const key = await makeKey(server.port, browser, 'panels:bench-0/*')
  const filesKey = await makeKey(server.port, browser, 'files:write:bench-0/*')
  const workspace = `/api/workspaces/editor/${NAME}`
  const made = await fetch(`http://127.0.0.1:${server.port}${workspace}`, {
    method: 'PUT',
    headers: { 'x-api-key': key },
  })
  if (made.status !== 201) throw new Error(`no workspace: ${made.status} ${await made.text()}`)

  const patchbay = async (cwd: string, ...args: string[]) => {
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PATCHBAY_SERVER_URL: `http://127.0.0.1:${server.port}`,
      PATCHBAY_API_KEY: filesKey,
      PATCHBAY_UPDATE_NOTICE: 'off',
    }
    const start = performance.now()
    await run(process.execPath, [CLI, 'files', ...args], { cwd, env: environment, maxBuffer: 64 * 1024 ** 2 })
    return performance.now() - start
  }

  console.log(`A tree of ${sizes.files} files …`)
  const source = join(folder, 'source')
  await patchbay(folder, 'clone', NAME, source)
  await makeTree(source, { files: sizes.files - SMALL_FILES, bytes: sizes.bytes })
  await mkdir(join(source, 'small'))
  for (let number = 0; number < SMALL_FILES; number += 1)
    await writeFile(join(source, 'small', `${number}.txt`), 'x'.repeat(SMALL_BYTES - 1) + (number % 10))
  const tree = await readTree(source)
  console.log('Pushing it …')
  const pushMs = await patchbay(source, 'push')

  console.log('Copies: rsync and clone in turns …')
  const rsync = parts.use(await startRsync(folder, source))
  const pullMs: number[] = []
  const copies = await inTurns(COPIES, sizes.copies, async (name) => {
    const target = join(folder, name)
    await rm(target, { recursive: true, force: true })
    const took = name === 'rsync' ? await rsync.copyTo(target) : await patchbay(folder, 'clone', NAME, target)
    requireSame(name, tree, await readTree(target))
    if (name === 'clone') pullMs.push(await patchbay(target, 'pull'))
    return took
  })

  console.log('Listing and reading: bare and server in turns …')
  const [owner = '', repo = ''] = NAME.split('/')
  const stored = join(objects, 'files')
  const bare = parts.use(await startScript(BARE, [database.url, stored, owner, repo]))
  const withKey = parts.use(await startScript(BARE, [database.url, stored, owner, repo, 'key']))
  const ports = { bare: bare.port, 'with key': withKey.port, server: server.port }
  const headers = { 'x-api-key': filesKey }
  const list: Request = { path: `${workspace}/files?recursive=true&limit=${PAGE}`, headers }
  const reads = Array.from({ length: SMALL_FILES }, (_, number) => ({
    path: `${workspace}/files/content?path=small%2F${number}.txt`,
    headers,
  }))
  await requireAlike(ports, [list, ...reads.slice(0, 3)])
  const serving = await inTurns(SERVING, sizes.rounds, async (name) => {
    const load = { port: ports[name], connections: CONNECTIONS, seconds: sizes.seconds }
    return {
      list: await loadWith({ ...load, requests: [list] }),
      read: await loadWith({ ...load, requests: reads }),
    }
  })
  return { tree: { files: tree.files, bytes: tree.bytes }, pushMs, copies, pullMs, serving }
}

/** Sides that answered something else would not be comparable. */
async function requireAlike(
  ports: Readonly<Record<string, number>>,
  requests: readonly Request[],
): Promise<void> {
  for (const request of requests) {
    const bodies = await Promise.all(Object.values(ports).map((port) => askSuccess(port, request)))
    const answers = bodies.map(({ body }) => comparable(body.toString('utf8')))
    if (new Set(answers).size !== 1) throw new Error(`${request.path} is answered differently`)
  }
}

/** Of a listing, the files: where the next page begins is of no interest to the prototype. */
function comparable(body: string): string {
  if (!body.startsWith('{')) return body
  const { files } = JSON.parse(body) as { files: readonly Record<string, unknown>[] }
  return JSON.stringify(
    files.map(({ path, sha256, size, mediaType, changedAt }) => [path, sha256, size, mediaType, changedAt]),
  )
}

/** Its own server on loopback: between two folders it would leave out the way over a socket. */
async function startRsync(folder: string, source: string) {
  const port = await freePort()
  const config = join(folder, 'rsyncd.conf')
  await writeFile(
    config,
    `port = ${port}\naddress = 127.0.0.1\nuse chroot = no\npid file = ${join(folder, 'rsyncd.pid')}\n[tree]\npath = ${source}\nread only = yes\nuid = 0\ngid = 0\n`,
  )
  const daemon = startProcess('rsync', ['--daemon', '--no-detach', `--config=${config}`])
  const address = `rsync://127.0.0.1:${port}/tree/`
  const isListening = () =>
    run('rsync', [address]).then(
      () => true,
      () => false,
    )
  await waitUntil('rsync listens', isListening, { deadlineMs: 20_000 })
  return {
    async copyTo(target: string) {
      const start = performance.now()
      await run('rsync', ['--archive', '--exclude=.patchbay', address, `${target}/`])
      return performance.now() - start
    },
    [Symbol.asyncDispose]: () => daemon.kill(),
  }
}
