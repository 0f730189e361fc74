import type { HttpApp } from '@patchbay/kernel/http'
import type { IdentityDeps } from './deps.ts'
import { deleteEnded, SweepProgress } from './housekeeping.store.ts'

const INTERVAL_MS = 60_000
const LONGEST_RUN_MS = 30_000

/** Deletes what has ended, every minute until the server closes. */
export function keepHouse(app: HttpApp, { db, clock, log }: IdentityDeps): void {
  const closing = new AbortController()
  const progress = new SweepProgress()
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_RUN_MS)])
    await deleteEnded(db, clock.now(), log, signal, progress)
    isRunning = false
  }
  const timer = setInterval(() => void run(), INTERVAL_MS).unref()
  app.addHook('preClose', (done) => {
    clearInterval(timer)
    closing.abort()
    done()
  })
}
