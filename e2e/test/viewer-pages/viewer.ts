import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallInput, type CallResult, call, type EndpointSpec, Problem } from '@patchbay/contracts/core'
import {
  deletePaste,
  getScreenshotPaste,
  getViewerStatus,
  listPastes,
  PASTE_FOLDER,
  type Paste,
  postPaste,
  postUploadGrant,
  UPLOAD_GRANT_HEADER,
  UPLOAD_NONCE_META,
} from '@patchbay/contracts/viewer'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { withFreePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { startViewer, viewerConfig } from '@patchbay/viewer-app'
import { buildApp } from '@patchbay/web/test/build-app'

/** A viewer with the built pages, for a project of its own. */
export interface Viewer extends AsyncDisposable {
  readonly url: string
  /** Where the pastes of its project lie. */
  readonly folder: string
  /** The names of all files there, but for what the viewer keeps for itself. */
  files(): Promise<string[]>
  /** Asks it from outside, as an agent does. */
  ask<Spec extends EndpointSpec>(endpoint: Spec, input: CallInput<Spec>): Promise<CallResult<Spec>>
  stop(): Promise<void>
  /** Again, at the same address and for the same project. */
  start(): Promise<void>
}

export interface ViewerOptions {
  /** What the folder of the project is called. */
  readonly project?: string
  /** Further variables of its configuration. Without any, names are looked for by nobody. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Those that a test is through with. They end with the process. */
const idle: Viewer[] = []

/**
 * A viewer with nothing in its project and no page open, which an earlier test may have had: one that was just started
 * takes most of a second for its first picture.
 */
export async function borrowViewer(): Promise<Viewer> {
  return idle.pop() ?? (await openViewer())
}

/** Afterwards it is as it was borrowed. */
export async function giveBack(viewer: Viewer): Promise<void> {
  const pages = async () => (await viewer.ask(getViewerStatus, {})).body.pages
  // Of a picture that was sent as the page went.
  const unfinished = () => readdir(join(viewer.folder, '.viewer/staging')).catch(() => [])
  const isQuiet = async () => (await pages()) === 0 && (await unfinished()).length === 0
  await waitUntil('its pages and their uploads are gone', isQuiet, { intervalMs: 5 })
  const saved = async () => (await viewer.ask(listPastes, { query: { limit: 100 } })).body.items
  for (let round = 0; round < 10; round += 1) {
    for (const { id } of await saved()) await remove(viewer, id)
    if ((await saved()).length === 0) return void idle.push(viewer)
  }
  throw new Error('pictures keep coming to a viewer without pages')
}

/** Also while the page's own wish to delete it is still being followed. */
async function remove(viewer: Viewer, id: string): Promise<void> {
  try {
    await viewer.ask(deletePaste, { params: { id } })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'paste_not_found') throw error
  }
}

/** Saves a picture as the widget does, without a page. */
export async function savePicture(viewer: Viewer, upload: Buffer<ArrayBuffer>): Promise<Paste> {
  const html = (await viewer.ask(getScreenshotPaste, { query: {} })).body
  const nonce = new RegExp(`name="${UPLOAD_NONCE_META}" content="([^"]+)"`).exec(html)?.[1] ?? ''
  const { body } = await viewer.ask(postUploadGrant, { body: { nonce } })
  const headers = { [UPLOAD_GRANT_HEADER]: body.grant }
  return (await viewer.ask(postPaste, { headers, query: {}, upload })).body
}

export async function openViewer({
  project = 'night-lamp',
  environment = {},
}: ViewerOptions = {}): Promise<Viewer> {
  await using cleanup = new AsyncDisposableStack()
  const root = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-viewer-pages-')))
  const removeNow = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', removeNow)
  cleanup.defer(async () => {
    process.off('exit', removeNow)
    await rm(root, { recursive: true, force: true })
  })
  const home = join(root, project)
  const webRoot = await buildApp()
  const log = createLog({ level: 'error', process: 'viewer' })
  let lifecycle: Lifecycle | undefined

  async function start(port: number): Promise<string> {
    const starting = new Lifecycle(log)
    const config = readConfig(viewerConfig, {
      PATCHBAY_VIEWER_PORT: String(port),
      PATCHBAY_VIEWER_PROJECT: home,
      PATCHBAY_VIEWER_NAMING: 'off',
      PATCHBAY_WEB_ROOT: webRoot,
      ...environment,
    })
    const createNonce = () => randomBytes(24).toString('base64url')
    const deps = { config, log, clock: systemClock, node: 'viewer-1', lifecycle: starting, createNonce }
    try {
      const { url } = await startViewer(deps)
      lifecycle = starting
      return url
    } catch (error) {
      await starting.stop(5_000)
      throw error
    }
  }
  async function stop(): Promise<void> {
    const isClean = await lifecycle?.stop(5_000)
    lifecycle = undefined
    // What is left of it would go on answering on connections that a page has kept.
    if (isClean === false) throw new Error('the viewer did not stop in time')
  }

  await mkdir(home)
  const url = await withFreePort(start)
  cleanup.defer(stop)
  const folder = join(home, PASTE_FOLDER)
  const owned = cleanup.move()
  return {
    url,
    folder,
    files: async () =>
      (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.')).toSorted(),
    ask: async (endpoint, input) => await call(endpoint, input, { baseUrl: url }),
    stop,
    start: async () => void (await start(Number(new URL(url).port))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
