import type { Log } from '../log/index.ts'
import type { Lifecycle } from './lifecycle.ts'

/** What of `process` is needed; a test drives it in a real child process. */
export interface Host {
  on(event: string, listener: (...args: never[]) => void): unknown
  exit(code: number): void
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Ties a lifecycle to its process: signals drain it, a second signal or a bug ends it. */
export function runUntilSignal(host: Host, lifecycle: Lifecycle, log: Log, deadlineMs: number): void {
  let draining = false
  for (const signal of SIGNALS) {
    host.on(signal, () => {
      if (draining) {
        log.warn({ signal }, 'second signal, exiting immediately')
        host.exit(1)
        return
      }
      draining = true
      log.info({ signal, deadlineMs }, 'draining')
      void lifecycle.stop(deadlineMs).then((clean) => {
        log.info({ clean }, 'stopped')
        host.exit(clean ? 0 : 1)
      })
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    host.on(event, (error: unknown) => {
      log.fatal({ err: error, event }, 'unexpected failure, ending')
      host.exit(1)
    })
  }
}
