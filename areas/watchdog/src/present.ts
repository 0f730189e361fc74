import type { WatchdogState, WatchdogStatus } from '@patchbay/contracts/gateway'
import type { Phase, Supervision } from './supervision.ts'
import type { Timings } from './timings.ts'

/** What is known beside the state itself. */
export interface Circumstances {
  readonly gatewayUrl: string
  readonly gateway:
    | {
        readonly pid: number
        readonly instance: string
        readonly adopted: boolean
        readonly startedAt: string
      }
    | undefined
  readonly orphan: NonNullable<WatchdogStatus['orphan']> | undefined
  readonly watchdog: WatchdogStatus['watchdog']
}

export interface Now {
  /** Of the clock that never jumps, in which the state counts. */
  readonly elapsedMs: number
  readonly wall: Date
}

/** The one conversion from the state to the wire. */
export function present(
  state: Supervision,
  around: Circumstances,
  now: Now,
  timings: Timings,
): WatchdogStatus {
  const { phase, lastCheck, lastExit, restarts } = state
  const crashLoop = state.crashes >= timings.crashLoopAfter
  const retryAt = phase.name === 'backing-off' ? toWall(phase.retryAt, now) : null
  return {
    state: shownState(state, crashLoop),
    detail: describe(state, timings),
    wanted: state.wanted,
    autoRestart: state.autoRestart,
    restartCount: restarts.exited + restarts.unhealthy + restarts.commanded,
    restarts: { ...restarts },
    consecutiveFailures: state.failures,
    failuresBeforeRestart: timings.failuresBeforeRestart,
    crashLoop,
    retryAt,
    gateway: {
      url: around.gatewayUrl,
      pid: around.gateway?.pid ?? null,
      instance: around.gateway?.instance ?? null,
      adopted: around.gateway?.adopted ?? false,
      startedAt: around.gateway?.startedAt ?? null,
    },
    lastHealthCheck:
      lastCheck === undefined
        ? null
        : {
            at: lastCheck.at,
            ok: lastCheck.ok,
            durationMs: lastCheck.durationMs,
            reason: lastCheck.reason ?? null,
          },
    lastExit: lastExit === undefined ? null : { ...lastExit, lastErrors: [...lastExit.lastErrors] },
    orphan: around.orphan ?? null,
    watchdog: around.watchdog,
  }
}

function shownState({ phase }: Supervision, crashLoop: boolean): WatchdogState {
  if (phase.name === 'examining') return 'starting'
  return phase.name === 'backing-off' && crashLoop ? 'crash-loop' : phase.name
}

type PhaseOf<Name extends Phase['name']> = Extract<Phase, { name: Name }>
type Description<One> = (phase: One, state: Supervision, timings: Timings) => string

const DESCRIPTIONS: { readonly [Name in Phase['name']]: Description<PhaseOf<Name>> } = {
  stopped: ({ reason }, { wanted }) =>
    wanted === 'stopped' ? `${reason} It stays stopped until it is started.` : reason,
  examining: () => 'Looking whether the place of the gateway is free.',
  starting: (_phase, { failures }, { failuresBeforeRestart }) =>
    failures === 0
      ? 'Waiting for its first healthy answer.'
      : `Waiting for its first healthy answer; ${failures} of ${failuresBeforeRestart} checks failed.`,
  healthy: () => 'It answers.',
  unhealthy: (_phase, { failures, lastCheck, autoRestart }, { failuresBeforeRestart }) =>
    `${failures} of ${failuresBeforeRestart} checks failed in a row (${lastCheck?.reason ?? 'no reason known'}); ` +
    (autoRestart ? 'then it is restarted.' : 'auto-restart is off.'),
  stopping: ({ next }) =>
    next === 'stay' ? 'Told to stop; it may drain.' : 'Told to stop; it is started again.',
  'backing-off': (_phase, { crashes }) =>
    `It went down ${crashes === 1 ? 'once' : `${crashes} times in a row`}; the next start waits.`,
  foreign: ({ holder }) => `${holder} It is left alone; the gateway starts when it has gone.`,
  refused: ({ reason }) => reason,
}

function describe(state: Supervision, timings: Timings): string {
  // The table pairs each name with its phase, which a lookup by that name cannot express.
  const text = DESCRIPTIONS[state.phase.name] as Description<Phase>
  return text(state.phase, state, timings)
}

/** Moments are counted from now: the wall clock may have been set since. */
function toWall(elapsedMs: number, now: Now): string {
  return new Date(now.wall.getTime() + (elapsedMs - now.elapsedMs)).toISOString()
}
