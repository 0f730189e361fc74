import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import {
  type Paste,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
  UPLOAD_NONCE_PLACEHOLDER,
} from '@patchbay/contracts/viewer'
import { type Clock, systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { type RunningViewer, startViewer, viewerConfig } from '../src/index.ts'
import type { OpenServer } from '../src/mcp/workspace/opened-server.ts'

/** How pages and programs of this machine see a viewer. */
export interface Face {
  readonly url: string
  ask(path: string, init?: RequestInit): Promise<Response>
  json<Body>(path: string, init?: RequestInit): Promise<Body>
  /** What a page does once it is loaded. */
  grant(): Promise<string>
  upload(body: BodyInit, options?: UploadOptions): Promise<Response>
  /** A picture that is saved. */
  paste(body: BodyInit, options?: UploadOptions): Promise<Paste>
}

export interface UploadOptions {
  readonly grant?: string
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
}

export interface TestFolder extends AsyncDisposable {
  readonly path: string
}

/** The folder of a project, gone afterwards. */
export async function createProject(): Promise<TestFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-viewer-')))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export const PASTES = 'screenshots/sp'

/** Stands in for the built pages, which these tests do not look at: a document with the place of the nonce. */
export async function createWebRoot(): Promise<TestFolder> {
  const folder = await createProject()
  await mkdir(join(folder.path, 'assets'))
  await writeFile(join(folder.path, 'assets', 'viewer-a1b2.js'), 'console.log(1)')
  await writeFile(join(folder.path, 'assets', 'viewer-a1b2.js.br'), brotliCompressSync('console.log(1)'))
  await writeFile(join(folder.path, 'index.html'), 'the pages of the server')
  await writeFile(join(folder.path, 'workspace.html'), 'the workspace')
  await writeFile(
    join(folder.path, 'viewer.html'),
    `<!doctype html><meta name="${UPLOAD_NONCE_META}" content="${UPLOAD_NONCE_PLACEHOLDER}">`,
  )
  return folder
}

export interface TestViewer extends Face, AsyncDisposable {
  readonly running: RunningViewer
  readonly project: string
  readonly lines: readonly string[]
  /** Stops it as SIGTERM does. */
  drain(): Promise<boolean>
}

export interface TestViewerOptions {
  readonly project?: string
  readonly environment?: Record<string, string>
  readonly clock?: Clock
  readonly silentMs?: number
  readonly openServer?: OpenServer
}

/** The viewer in this process, on a free port, with names off unless told otherwise. */
export async function startTestViewer(options: TestViewerOptions = {}): Promise<TestViewer> {
  await using stack = new AsyncDisposableStack()
  const project = options.project ?? stack.use(await createProject()).path
  const webRoot = stack.use(await createWebRoot()).path
  const lines: string[] = []
  const log = createLog({
    level: 'trace',
    process: 'viewer',
    destination: { write: (line) => void lines.push(line) },
  })
  const lifecycle = new Lifecycle(log)
  const running = await startViewer({
    config: readConfig(viewerConfig, {
      PATCHBAY_VIEWER_PORT: String(await freePort()),
      PATCHBAY_VIEWER_PROJECT: project,
      PATCHBAY_VIEWER_NAMING: 'off',
      PATCHBAY_WEB_ROOT: webRoot,
      PATCHBAY_DRAIN_SECONDS: '5',
      ...options.environment,
    }),
    log,
    clock: options.clock ?? systemClock,
    node: 'viewer-test',
    lifecycle,
    createNonce: () => randomBytes(16).toString('base64url'),
    ...(options.silentMs === undefined ? {} : { silentMs: options.silentMs }),
    ...(options.openServer === undefined ? {} : { openServer: options.openServer }),
  })
  const drain = () => lifecycle.stop(10_000)
  stack.defer(async () => void (await drain()))
  const owned = stack.move()
  return {
    ...faceOf(running.url),
    running,
    project,
    lines,
    drain,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const CLI = fileURLToPath(new URL('../../cli/test/command.ts', import.meta.url))

/** The viewer as a person starts it. */
export async function spawnViewer(
  project: string,
  environment: Record<string, string> = {},
): Promise<Face & RunningProcess> {
  const webRoot = await createWebRoot()
  const running = startProcess(process.execPath, [CLI, 'viewer'], {
    env: {
      ...plainEnvironment(),
      PATCHBAY_VIEWER_PORT: String(await freePort()),
      PATCHBAY_WEB_ROOT: webRoot.path,
      ...environment,
    },
    cwd: project,
  })
  void running.exited.then(() => webRoot[Symbol.asyncDispose]())
  const listening = () => /open at (http:\S+)/.exec(running.output())?.[1]
  await waitUntil('the viewer listens', () => listening() !== undefined, { deadlineMs: 60_000 }).catch(
    (error: unknown) => {
      throw new Error(`the viewer did not start:\n${running.output()}`, { cause: error })
    },
  )
  return Object.assign(running, faceOf(listening() ?? ''))
}

/** Without settings that happen to stand in the environment of the tests. */
export function plainEnvironment(): Record<string, string> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env
  return { PATH, TMPDIR }
}

function faceOf(url: string): Face {
  const ask = (path: string, init?: RequestInit) => fetch(url + path, { redirect: 'manual', ...init })
  const face: Face = {
    url,
    ask,
    json: async (path, init) => (await ask(path, init)).json(),
    async grant() {
      const nonce = nonceOf(await (await ask('/screenshot-paste')).text())
      const answer = await ask('/api/upload-grants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ nonce }),
      })
      return ((await answer.json()) as { grant: string }).grant
    },
    async upload(body, { grant, query = {}, headers = {} } = {}) {
      return await ask(`/api/pastes?${new URLSearchParams(query).toString()}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/octet-stream',
          [UPLOAD_GRANT_HEADER]: grant ?? (await face.grant()),
          ...headers,
        },
        body,
        ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      })
    },
    async paste(body, options) {
      const answer = await face.upload(body, options)
      if (answer.status !== 201) throw new Error(`not saved: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Paste
    },
  }
  return face
}

export function nonceOf(html: string): string {
  return new RegExp(`name="${UPLOAD_NONCE_META}" content="([^"]*)"`).exec(html)?.[1] ?? ''
}
