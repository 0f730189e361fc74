import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, type CallInput, type CallResult, type EndpointSpec, PASTE_FOLDER } from '@patchbay/contracts'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { withFreePort } from '@patchbay/testkit/ports'
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

export async function openViewer({
  project = 'night-lamp',
  environment = {},
}: ViewerOptions = {}): Promise<Viewer> {
  await using cleanup = new AsyncDisposableStack()
  const root = await realpath(await mkdtemp(join(tmpdir(), 'patchbay-viewer-pages-')))
  cleanup.defer(() => rm(root, { recursive: true, force: true }))
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
    await lifecycle?.stop(5_000)
    lifecycle = undefined
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
