import type { ProcessRecord } from './identity.ts'

/** What is remembered beyond the watchdog's own life. */
export interface Memory {
  readonly wanted: 'running' | 'stopped'
  /** What somebody set auto-restart to; until then the configuration decides. */
  readonly switchedTo: boolean | undefined
  readonly restarts: Readonly<Record<RestartCause, number>>
  readonly lastExit: Exit | undefined
}

export type RestartCause = 'exited' | 'unhealthy' | 'commanded'

export interface Exit {
  readonly at: string
  readonly code: number | null
  readonly signal: string | null
  readonly reason: string
  readonly lastErrors: readonly string[]
}

export interface HealthCheck {
  readonly at: string
  readonly ok: boolean
  readonly durationMs: number
  readonly reason: string | undefined
  /** Whether it failed because nothing came back in time, as from a process that hangs. */
  readonly timedOut: boolean
}

/** Times are milliseconds of a clock that never jumps. */
export type Phase =
  | { readonly name: 'stopped'; readonly reason: string }
  | { readonly name: 'examining' }
  | { readonly name: 'starting'; readonly probeAt: number }
  | { readonly name: 'healthy' }
  | { readonly name: 'unhealthy' }
  | {
      readonly name: 'stopping'
      readonly killAt: number
      readonly next: 'stay' | 'restart'
      readonly retryAt: number
    }
  | { readonly name: 'backing-off'; readonly retryAt: number }
  | { readonly name: 'foreign'; readonly holder: string }
  | { readonly name: 'refused'; readonly reason: string }

export interface Supervision extends Memory {
  readonly autoRestart: boolean
  readonly phase: Phase
  /** Counts the runs of the gateway, so that late news of an earlier run are not taken for news of this one. */
  readonly run: number
  /** Failed health checks in a row. */
  readonly failures: number
  /** How often it went down without having been healthy. */
  readonly crashes: number
  /** Why the next start is a restart. */
  readonly restartCause: RestartCause | undefined
  readonly lastCheck: HealthCheck | undefined
  /** The watchdog itself is ending: nothing is started anymore. */
  readonly closing: boolean
}

/** What was found at the gateway's place before a start. */
export type Finding =
  | { readonly kind: 'free' }
  | { readonly kind: 'ours'; readonly record: ProcessRecord }
  | { readonly kind: 'foreign'; readonly holder: string }
  | { readonly kind: 'unproven'; readonly reason: string }

/** How a process ended, as far as that can be known. */
export interface Ending {
  readonly at: string
  readonly code: number | null
  readonly signal: string | null
  /** Set when it never ran. */
  readonly startFailure: string | undefined
  /** An adopted process reports its exit code to somebody else. */
  readonly known: boolean
  readonly lastErrors: readonly string[]
}

export type Command = 'start' | 'stop' | 'restart'

export type SupervisionEvent =
  | { readonly type: 'boot' }
  | { readonly type: 'command'; readonly command: Command }
  | { readonly type: 'switch'; readonly autoRestart: boolean | 'toggle' }
  | { readonly type: 'poll' }
  | { readonly type: 'time' }
  | { readonly type: 'examined'; readonly finding: Finding }
  | { readonly type: 'checked'; readonly run: number; readonly counts: boolean; readonly check: HealthCheck }
  | { readonly type: 'exited'; readonly run: number; readonly ending: Ending }
  | { readonly type: 'close'; readonly leaveRunning: boolean }

export type Effect =
  | { readonly type: 'examine' }
  | { readonly type: 'spawn'; readonly run: number }
  | { readonly type: 'adopt'; readonly run: number; readonly record: ProcessRecord }
  | { readonly type: 'check'; readonly run: number; readonly counts: boolean }
  | { readonly type: 'terminate' }
  | { readonly type: 'kill' }

export interface Step {
  readonly state: Supervision
  readonly effects: readonly Effect[]
}

export function startSupervision(memory: Memory, configuredAutoRestart: boolean): Supervision {
  return {
    ...memory,
    autoRestart: memory.switchedTo ?? configuredAutoRestart,
    phase: { name: 'stopped', reason: 'The watchdog has just started.' },
    run: 0,
    failures: 0,
    crashes: 0,
    restartCause: undefined,
    lastCheck: undefined,
    closing: false,
  }
}

export function memoryOf({ wanted, switchedTo, restarts, lastExit }: Supervision): Memory {
  return { wanted, switchedTo, restarts, lastExit }
}

export function isRunning({ phase: { name } }: Supervision): boolean {
  return name === 'starting' || name === 'healthy' || name === 'unhealthy'
}

/** When time alone will change something. */
export function nextDeadline({ phase }: Supervision): number | undefined {
  if (phase.name === 'starting') return phase.probeAt
  if (phase.name === 'stopping') return phase.killAt
  return phase.name === 'backing-off' ? phase.retryAt : undefined
}
