import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type BoardsTables,
  clearWorkFolder,
  createWorker,
  type Installation,
  inspectKicad,
} from '@patchbay/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { Clock } from '@patchbay/kernel/clock'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'
import { createObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { createDatabase } from '@patchbay/kernel/postgres'
import { openTracing } from '@patchbay/kernel/tracing'
import manifest from '../package.json' with { type: 'json' }
import type { WorkerConfig } from './config.ts'

export interface WorkerProcessDeps {
  readonly config: WorkerConfig
  readonly log: Log
  readonly clock: Clock
  readonly id: string
  readonly lifecycle: Lifecycle
  readonly createNonce: () => string
}

/** Before its time to drain is over, what is left has to be given back. */
const GIVE_BACK_MS = 2_000

/** Looks whether KiCad works, opens the engines and asks for jobs; what is started is stopped through the lifecycle. */
export async function startWorker(deps: WorkerProcessDeps): Promise<Installation> {
  const { config, log, clock, id, lifecycle, createNonce } = deps
  const folder = resolve(config.folder ?? join(tmpdir(), `patchbay-worker-${userInfo().uid}`))
  const limits = {
    memoryBytes: config.memoryMib * 1024 ** 2,
    seconds: config.jobSeconds,
    outputBytes: BOARD_LIMITS.resultBytes,
    outputFiles: BOARD_LIMITS.results,
  }
  await clearWorkFolder(folder, clock.now())
  const installation = await inspectKicad(config.kicad, folder, limits)
  const tracing = await lifecycle.start(
    'traces',
    () =>
      openTracing({
        process: 'worker',
        node: id,
        version: manifest.version,
        clock,
        log,
        createNonce,
        // What a server or gateway keeps is kept here.
        settings: { ...config, traceRatio: 0 },
      }),
    async (part) => part?.close(),
  )
  const database = await lifecycle.start(
    'database',
    async () =>
      createDatabase<BoardsTables>({
        url: config.databaseUrl,
        // Leases are renewed beside what a job does.
        poolSize: config.jobs + 2,
        applicationName: id,
        log,
        tracing,
      }),
    (part) => part.close(),
  )
  // The names are those of the server: see `openObjects` there.
  const [files, results, libraries] = await Promise.all(
    (['files', 'boards', 'libraries'] as const).map((within) =>
      lifecycle.start(
        within,
        () => openObjects(config, folder, within),
        (part) => part.close(),
      ),
    ),
  )
  if (files === undefined || results === undefined || libraries === undefined)
    throw new TypeError('a store is missing')
  await lifecycle.start(
    'worker',
    async () => {
      const worker = createWorker({
        db: database.db,
        clock,
        log,
        id,
        createNonce,
        files,
        results,
        libraries,
        kicad: { program: config.kicad, limits, ...installation },
        folder,
        settings: { jobsAtOnce: config.jobs, leaseMs: config.leaseSeconds * 1_000 },
        tracing,
      })
      await worker.start()
      return worker
    },
    (part) => part.stop(Math.max(0, config.drainSeconds * 1_000 - GIVE_BACK_MS)),
  )
  log.info({ id, ...installation }, 'working')
  return installation
}

async function openObjects(
  { objectsUrl, objectsAccessKeyId, objectsSecretAccessKey }: WorkerConfig,
  folder: string,
  within: string,
): Promise<ObjectStore> {
  const url = new URL(objectsUrl ?? pathToFileURL(resolve('.patchbay/objects')).href)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${within}`
  return await createObjects({
    url: url.href,
    ...(objectsAccessKeyId === undefined ? {} : { accessKeyId: objectsAccessKeyId }),
    ...(objectsSecretAccessKey === undefined ? {} : { secretAccessKey: objectsSecretAccessKey }),
    spoolDir: join(folder, 'spool'),
  })
}
