import { boardsMigrations } from '@patchbay/boards'
import { contentMigrations } from '@patchbay/content'
import { Problem } from '@patchbay/contracts/core'
import { devicesMigrations } from '@patchbay/devices'
import { identityMigrations } from '@patchbay/identity'
import type { Log, Secret } from '@patchbay/kernel/log'
import { collectMigrations, kernelMigrations, type Migration, migrate } from '@patchbay/kernel/postgres'
import { panelsMigrations } from '@patchbay/panels'
import { registryMigrations } from '@patchbay/registry'

export interface Preparation {
  readonly done: boolean
  /** Settles when the tables are there; rejects when a migration itself is at fault. */
  readonly finished: Promise<void>
  /** Settles with the first attempt: nobody may listen who would have to end right after. */
  readonly attempted: Promise<void>
  requireDone(): void
  stop(): void
}

const RETRY_MS = 1_000

/** Of every area on this server, in the order in which they apply. */
export async function serverMigrations(): Promise<Migration[]> {
  return await collectMigrations([
    kernelMigrations,
    identityMigrations,
    registryMigrations,
    panelsMigrations,
    contentMigrations,
    devicesMigrations,
    boardsMigrations,
  ])
}

/** Migrates as soon as the database can be reached. Waiting here, instead of exiting, ends a restart loop before it begins. */
export function prepareDatabase(url: Secret, log: Log): Preparation {
  let done = false
  const stopping = new AbortController()
  const { promise: attempted, resolve: noteAttempt, reject: failAttempt } = Promise.withResolvers<void>()
  const run = async () => {
    const migrations = await serverMigrations()
    while (!stopping.signal.aborted && !done) {
      try {
        await migrate({ url, migrations, log })
        done = true
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        log.warn({ err: error, retryMs: RETRY_MS }, 'database not reachable yet, retrying')
        noteAttempt()
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      }
    }
  }
  const finished = run()
  // Whoever awaits them hears the failure; nobody may be waiting yet when it happens.
  finished.then(noteAttempt, failAttempt)
  attempted.catch(() => {})
  return {
    get done() {
      return done
    },
    finished,
    attempted,
    requireDone() {
      if (!done) throw new Problem('database_unavailable')
    },
    stop() {
      stopping.abort()
    },
  }
}
