import type { Log } from '../log/index.ts'

export interface Sweeper {
  /** A sweep under way looks at it between two steps. */
  readonly stopping: AbortSignal
  /** Deletes what is kept no longer, in bounded steps; ends early when the node stops. */
  sweep(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export interface SweeperOptions {
  readonly intervalMs: number
  readonly log: Log
  /** What is logged when a sweep fails; the next one tries again. */
  readonly failure: string
}

/** Sweeps now and then, one at a time: one that takes longer than the interval is waited for. */
export function createSweeper(
  { intervalMs, log, failure }: SweeperOptions,
  sweep: () => Promise<void>,
): Sweeper {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> | undefined

  return {
    stopping: stopping.signal,
    sweep,
    start() {
      timer ??= setInterval(() => {
        underWay ??= sweep()
          .catch((err: unknown) => log.warn({ err }, failure))
          .finally(() => {
            underWay = undefined
          })
      }, intervalMs).unref()
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await underWay
    },
  }
}
