import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call } from '@patchbay/contracts/core'
import {
  getScreenshotPaste,
  type Paste,
  postPaste,
  postUploadGrant,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
  UPLOAD_NONCE_PLACEHOLDER,
} from '@patchbay/contracts/viewer'
import { freePort } from '@patchbay/testkit/ports'
import { type RunningProcess, startProcess, waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { type Agent, connectAgent, GENERATIONS, type Generation, type Reach, type Road } from './agents.ts'
import { noisePng } from './noise.ts'

export const CLI = fileURLToPath(new URL('../../../cli/test/command.ts', import.meta.url))

/** A person's project on a machine of their own: a home, a folder, and a port for its viewer. */
export interface Desk extends AsyncDisposable {
  readonly project: string
  readonly port: number
  readonly url: string
  readonly env: Record<string, string>
  /** For agents that start `patchbay mcp`, or that talk to a viewer which runs. */
  readonly reach: Reach
  /** `patchbay viewer`, once it answers. */
  startViewer(): Promise<RunningProcess>
  /** An agent, beside a viewer that runs already where it cannot start one. */
  connect(generation: Generation, road: Road): Promise<Agent>
  isViewerThere(): Promise<boolean>
}

export interface DeskOptions {
  /** Built pages; a page that holds nothing but a nonce unless given. */
  readonly webRoot?: string
  readonly env?: Record<string, string>
}

export async function createDesk({ webRoot, env: more = {} }: DeskOptions = {}): Promise<Desk> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-desk-')))
  const project = join(home, 'project')
  const bare = join(home, 'web')
  await mkdir(project)
  await mkdir(bare)
  await writeFile(
    join(bare, 'viewer.html'),
    `<meta name="${UPLOAD_NONCE_META}" content="${UPLOAD_NONCE_PLACEHOLDER}">`,
  )
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { PATH = '' } = process.env
  const env = withCompiledCode({
    PATH,
    HOME: home,
    PATCHBAY_VIEWER_PORT: String(port),
    PATCHBAY_VIEWER_NAMING: 'off',
    PATCHBAY_WEB_ROOT: webRoot ?? bare,
    ...more,
  }) as Record<string, string>
  const reach = { command: [process.execPath, CLI, 'mcp', '--project', project], cwd: home, env, url }
  const started: AsyncDisposable[] = []
  const isViewerThere = async () => {
    const answer = await fetch(`${url}/health`).catch(() => undefined)
    return answer?.ok === true
  }
  const startViewer = async () => {
    const viewer = startProcess(process.execPath, [CLI, 'viewer', '--project', project], { cwd: home, env })
    started.push(viewer)
    const isUp = async () => {
      if (viewer.child.exitCode !== null) throw new Error(`the viewer has ended: ${viewer.output()}`)
      return await isViewerThere()
    }
    await waitUntil('the viewer answers', isUp, { deadlineMs: 60_000 })
    return viewer
  }
  return {
    project,
    port,
    url,
    env,
    reach,
    startViewer,
    isViewerThere,
    async connect(generation, road) {
      if (road === 'HTTP' && !(await isViewerThere())) await startViewer()
      return await connectAgent(generation, road, reach)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((each) => each[Symbol.asyncDispose]()))
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** An agent of each kind. Over stdio each runs a viewer of its own; over HTTP both use the same. */
export interface Agents extends AsyncDisposable {
  with(generation: Generation, road: Road): { readonly agent: Agent; readonly desk: Desk }
}

/** For the tests of a file that leave their viewer as they found it: starting one takes longer than most of them. */
export async function connectAgents(options: DeskOptions = {}): Promise<Agents> {
  await using stack = new AsyncDisposableStack()
  const seats = new Map<string, { readonly agent: Agent; readonly desk: Desk }>()
  const seat = async (desk: Desk, generation: Generation, road: Road) => {
    const agent = stack.use(await desk.connect(generation, road))
    seats.set(`${generation} ${road}`, { agent, desk })
  }
  const [old, recent, shared] = [
    stack.use(await createDesk(options)),
    stack.use(await createDesk(options)),
    stack.use(await createDesk(options)),
  ]
  await Promise.all([seat(old, '1.x', 'stdio'), seat(recent, '2.x', 'stdio'), shared.startViewer()])
  for (const generation of GENERATIONS) await seat(shared, generation, 'HTTP')
  const owned = stack.move()
  return {
    with: (generation, road) => seats.get(`${generation} ${road}`) ?? unseated(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function unseated(): never {
  throw new Error('there is no such agent')
}

/** Saves a picture as the widget does. */
export async function pasteInto(baseUrl: string, picture: Uint8Array<ArrayBuffer>): Promise<Paste> {
  const html = (await call(getScreenshotPaste, { query: {} }, { baseUrl })).body
  const nonce = new RegExp(`name="${UPLOAD_NONCE_META}" content="([^"]+)"`).exec(html)?.[1] ?? ''
  const { body } = await call(postUploadGrant, { body: { nonce } }, { baseUrl })
  const headers = { [UPLOAD_GRANT_HEADER]: body.grant }
  return (await call(postPaste, { headers, query: {}, upload: picture }, { baseUrl })).body
}

/** 8 x 8. */
export const PICTURE: Uint8Array<ArrayBuffer> = noisePng(8)
