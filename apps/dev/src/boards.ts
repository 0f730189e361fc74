import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { startWorker, workerConfig } from '@patchbay/eda-worker'
import { systemClock } from '@patchbay/kernel/clock'
import { type Environment, readConfig } from '@patchbay/kernel/config'
import type { Lifecycle } from '@patchbay/kernel/lifecycle'
import type { Log } from '@patchbay/kernel/log'

interface BoardsOptions {
  /** Of the server: the worker uses the same database and the same objects. */
  readonly environment: Environment
  readonly folder: string
  readonly log: Log
  readonly lifecycle: Lifecycle
  readonly runId: string
}

/** One worker in this process, where KiCad is installed. Everything else works without it. Answers what to tell the person. */
export async function startBoards(options: BoardsOptions): Promise<string> {
  const { environment, folder, log, lifecycle, runId } = options
  const config = readConfig(
    workerConfig,
    { PATCHBAY_WORKER_FOLDER: join(folder, 'boards'), ...environment },
    // Those of the server are among them, which has looked for unknown ones.
    Object.keys(environment),
  )
  try {
    const { version } = await startWorker({
      config,
      log,
      clock: systemClock,
      id: `dev-worker-${runId}`,
      lifecycle,
      createNonce: () => randomBytes(16).toString('base64url'),
    })
    return `${version}, for schematics and boards`
  } catch (error) {
    if (!(error instanceof Error && error.name === 'CannotWork')) throw error
    return 'not used: schematics and boards need KiCad 9 and bubblewrap'
  }
}
