import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { createInProcessBus } from '@patchbay/kernel/bus/in-process'
import type { Clock } from '@patchbay/kernel/clock'
import { addressesOf, builtFolder, createHttp, type HttpApp } from '@patchbay/kernel/http'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createMetrics } from '@patchbay/kernel/metrics'
import { attachWebSockets } from '@patchbay/kernel/websocket'
import {
  openPaste,
  type PasteFolder,
  Pastes,
  presentPaste,
  refuseForeignPages,
  registerPasteFiles,
  registerPastes,
  registerViewer,
  UploadGrants,
  ViewerPages,
  viewerMetrics,
} from '@patchbay/viewer'
import { portIsTaken, projectIsNoFolder } from './cannot-start.ts'
import type { ViewerConfig } from './config.ts'
import { registerMcp } from './mcp/mcp.routes.ts'
import type { OpenServer } from './mcp/workspace/opened-server.ts'
import { API_INFO } from './openapi.ts'
import { openParts } from './parts.ts'
import { MOST_PICTURE_BYTES } from './picture-content.ts'
import { VERSION } from './version.ts'
import type { ViewerPort } from './viewer-port.ts'
import { registerWebPages } from './web-pages.ts'
import { WorkspaceCopies } from './workspace-copies.ts'

export interface ViewerDeps {
  readonly config: ViewerConfig
  readonly log: Log
  readonly clock: Clock
  readonly node: string
  readonly lifecycle: Lifecycle
  /** 128 random bits or more, as letters, digits, `-` and `_`. */
  readonly createNonce: () => string
  /** The installation whose workspaces its tools are for (`PATCHBAY_SERVER_URL`); the one of this machine unless given. */
  readonly serverUrl?: string | undefined
  /** How the workspace is reached that has the pastes as well. */
  readonly openServer?: OpenServer
  /** After so long without a byte in either direction a connection is cut. */
  readonly silentMs?: number
}

export interface RunningViewer {
  /** Where it listens. */
  readonly url: string
  /** What agents need of it. */
  readonly port: ViewerPort
  readonly status: () => ViewerStatus
}

const MOST_PAGES = 100
/** Longer than any agent waits: whoever is silent for so long does not read what was sent to them. */
const SILENT_MS = 10 * 60_000
const DRAIN_WINDOW_MS = 200
const DRAIN_GRACE_MS = 1_000

/** Opens the folder and listens; what is started is stopped through the lifecycle: sockets, then HTTP, then the folder. */
export async function startViewer(deps: ViewerDeps): Promise<RunningViewer> {
  const { config, log, clock, node, lifecycle, createNonce } = deps
  const project = await findProject(config)
  const { folder, naming, preparePictures } = await lifecycle.start(
    'folder',
    () => openParts({ config, project, log, clock, createNonce }),
    async (parts) => {
      await parts.naming[Symbol.asyncDispose]()
      await parts.preparePictures[Symbol.asyncDispose]()
      await parts.folder[Symbol.asyncDispose]()
    },
  )
  const pages = new ViewerPages({ createNonce })
  const metrics = createMetrics('viewer')
  const count = viewerMetrics(metrics, () => pages.size)
  const grants = new UploadGrants({ now: () => clock.now(), createNonce })
  const pastes = await lifecycle.start(
    'pastes',
    async () => new Pastes({ folder, preparePictures, naming, log, now: () => clock.now(), count }),
    (part) => part.stop(),
  )
  const { workspace } = config
  const { openServer } = deps
  if (workspace !== undefined && openServer !== undefined) {
    const copies = await lifecycle.start(
      'workspace',
      async () => new WorkspaceCopies({ open: openServer, workspace, folder, log }),
      (part) => part.stop(),
    )
    pastes.onEvent((event) => copies.note(event))
    copies.start()
  }
  pastes.onEvent((event) => {
    pages.broadcast(
      event.type === 'paste' ? { type: 'paste', paste: presentPaste(event.paste, folder.path) } : event,
    )
  })

  const addresses = addressesOf({ ...config, publicUrl: undefined })
  const bus = createInProcessBus({ node, clock })
  const http = createHttp({
    ...addresses,
    info: API_INFO,
    node,
    log,
    metrics,
    metricsToken: config.metricsToken,
    checks: [{ name: 'folder', ping: () => tryFolder(folder) }],
    trustedProxies: [],
    rateLimits: { shared: bus.rateLimit, local: bus.rateLimit },
  })
  const status = (): ViewerStatus => ({
    version: VERSION,
    project,
    folder: folder.path,
    url: addresses.publicUrl,
    naming: naming.kind,
    ...(workspace === undefined ? {} : { workspace: `${workspace.owner}/${workspace.repo}` }),
    pages: pages.size,
    active: pages.size > 0,
    cursor: String(pastes.cursor),
  })
  const port = localViewer({ pastes, pages, folder, status })
  http.app.server.setTimeout(deps.silentMs ?? SILENT_MS)
  refuseForeignPages(http.app)
  registerPastes(http.app, { pastes, grants, folder: folder.path })
  registerPasteFiles(http.app, folder)
  registerViewer(http.app, { pages, status, cursor: () => String(pastes.cursor) })
  registerMcp(http.app, { ...addresses, viewer: port, serverUrl: deps.serverUrl, createNonce, log })
  await registerWebPages(http.app, {
    root: resolve(config.webRoot ?? builtFolder('web app', import.meta.url)),
    framedBy: config.framedBy,
    issueNonce: () => grants.issueNonce(),
  })
  const sockets = attachWebSockets(http.app.server, {
    ...addresses,
    log,
    limits: { maxConnections: MOST_PAGES, maxConnectionsPerAddress: MOST_PAGES },
  })
  sockets.add(pages.endpoint())

  const url = await lifecycle.start(
    'http',
    () => listen(http.app, config),
    () => http.drain(restMs(config)),
  )
  // Stopped first: upgraded connections and whoever waits for a paste would keep the HTTP server waiting.
  await lifecycle.start(
    'sockets',
    async () => sockets,
    async (part) => {
      http.announceDrain()
      pastes.close()
      pages.stop()
      await part.drain({ windowMs: DRAIN_WINDOW_MS, graceMs: DRAIN_GRACE_MS })
      await part.close()
    },
  )
  log.info({ url, project, folder: folder.path, naming: naming.kind, version: VERSION }, 'listening')
  return { url, port, status }
}

/** Without links in its way: two names of one folder are one project. */
async function findProject({ project }: ViewerConfig): Promise<string> {
  const path = resolve(project)
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    throw projectIsNoFolder(path, error)
  }
  throw projectIsNoFolder(path)
}

async function listen(app: HttpApp, { host, port }: ViewerConfig): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portIsTaken(port, error) : error
  }
}

/** Whether a picture that comes now could be taken in. */
async function tryFolder(folder: PasteFolder): Promise<void> {
  const stage = await folder.stage()
  await stage.discard()
}

/** What is left of the time to drain once the sockets are gone. */
function restMs({ drainSeconds }: ViewerConfig): number {
  return Math.max(500, drainSeconds * 1000 - DRAIN_WINDOW_MS - DRAIN_GRACE_MS - 1_000)
}

interface LocalViewerDeps {
  readonly pastes: Pastes
  readonly pages: ViewerPages
  readonly folder: PasteFolder
  readonly status: () => ViewerStatus
}

/** The viewer that runs in this process. */
function localViewer({ pastes, pages, folder, status }: LocalViewerDeps): ViewerPort {
  return {
    status: async () => status(),
    async show(widget, title, signal) {
      // Before the widget is there: what is pasted at once must not be missed.
      const cursor = String(pastes.cursor)
      await pages.show(widget, title, signal)
      return { widget, cursor }
    },
    async nextPaste(query, signal) {
      const next = await pastes.next(query, signal)
      return next && { paste: presentPaste(next.paste, folder.path), cursor: next.cursor }
    },
    async readPaste(file) {
      await using handle = await openPaste(folder, file)
      // Whatever it was when it was saved: somebody may have put another file there.
      if ((await handle.stat()).size > MOST_PICTURE_BYTES) throw new Problem('body_too_large')
      return await handle.readFile()
    },
  }
}
