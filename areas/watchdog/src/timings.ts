import { LIMITS } from '@patchbay/contracts/limits'

/** Every number that the watchdog goes by. Tests pass shorter ones. */
export interface Timings {
  readonly pollIntervalMs: number
  /** Shorter than the interval, so that one check is over before the next begins. */
  readonly healthTimeoutMs: number
  readonly failuresBeforeRestart: number
  readonly backoffFirstMs: number
  readonly backoffMostMs: number
  /** So many failures in a row are called a crash loop. */
  readonly crashLoopAfter: number
  /** From SIGTERM to SIGKILL for a gateway that can still answer. */
  readonly drainMs: number
  /** The same for one that does not answer at all: it cannot drain, and people wait for its successor. */
  readonly unresponsiveGraceMs: number
  /** How often a gateway that is starting is asked, so that its first answer is noticed at once. */
  readonly startProbeMs: number
  /** How long `start` waits for the first healthy answer before it reports what there is. */
  readonly startWaitMs: number
  /** SIGKILL is sent again after this long; a command gives up waiting after the same. */
  readonly killRepeatMs: number
  /** How often an adopted gateway is looked at: its end is not reported to us. */
  readonly adoptedWatchMs: number
}

export const TIMINGS: Timings = {
  pollIntervalMs: LIMITS.watchdogPollIntervalMs,
  healthTimeoutMs: 5_000,
  failuresBeforeRestart: LIMITS.watchdogFailuresBeforeRestart,
  backoffFirstMs: 1_000,
  backoffMostMs: 300_000,
  crashLoopAfter: 5,
  drainMs: 35_000,
  unresponsiveGraceMs: 1_000,
  startProbeMs: 250,
  startWaitMs: 15_000,
  killRepeatMs: 5_000,
  adoptedWatchMs: 500,
}

/** How long to wait after the n-th failure in a row. */
export function backoffMs(failures: number, { backoffFirstMs, backoffMostMs }: Timings): number {
  return Math.min(backoffMostMs, backoffFirstMs * 2 ** Math.max(0, failures - 1))
}
