import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startWorker, workerConfig } from '@patchbay/eda-worker'
import { systemClock } from '@patchbay/kernel/clock'
import { readConfig } from '@patchbay/kernel/config'
import { Lifecycle } from '@patchbay/kernel/lifecycle'
import { createLog } from '@patchbay/kernel/log'
import { preparedDatabase } from '../installation/database.ts'
import { type Installation, startInstallation } from '../workspace-cli/installation.ts'

/** Why no worker can run here; `undefined`: one can. */
export function whyNoKicad(): string | undefined {
  try {
    execFileSync('/usr/bin/bwrap', ['--version'], { stdio: 'ignore' })
    const version = execFileSync('/usr/bin/kicad-cli', ['version'], { encoding: 'utf8' }).trim()
    return Number.parseInt(version, 10) >= 9 ? undefined : `KiCad is ${version}`
  } catch {
    return 'without KiCad or bubblewrap'
  }
}

/** An installation, and whatever a worker beside it has to know. */
export interface BoardInstallation extends Installation {
  startWorker(): Promise<void>
}

interface KicadOptions {
  readonly databaseUrl: string
  readonly objectsUrl: string
  readonly folder: string
}

/** A worker with KiCad, beside a server that has the same database and objects. */
export async function startKicad({
  databaseUrl,
  objectsUrl,
  folder,
}: KicadOptions): Promise<AsyncDisposable> {
  const log = createLog({ level: 'error', process: 'worker' })
  const lifecycle = new Lifecycle(log)
  const config = readConfig(workerConfig, {
    DATABASE_URL: databaseUrl,
    PATCHBAY_OBJECTS_URL: objectsUrl,
    PATCHBAY_WORKER_FOLDER: folder,
  })
  const createNonce = () => randomBytes(16).toString('base64url')
  await startWorker({ config, log, clock: systemClock, id: 'worker-1', lifecycle, createNonce })
  return { [Symbol.asyncDispose]: async () => void (await lifecycle.stop(10_000)) }
}

export async function startBoardInstallation(): Promise<BoardInstallation> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-boards-'))
  cleanup.defer(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { url: databaseUrl } = cleanup.use(await preparedDatabase())
  const objectsUrl = pathToFileURL(join(folder, 'objects')).href
  const site = cleanup.use(await startInstallation({ PATCHBAY_OBJECTS_URL: objectsUrl }, { databaseUrl }))
  const owned = cleanup.move()
  return {
    ...site,
    async startWorker() {
      owned.use(await startKicad({ databaseUrl, objectsUrl, folder: join(folder, 'worker') }))
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
