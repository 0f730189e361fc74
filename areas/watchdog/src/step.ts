import { obey, switchAutoRestart } from './commands.ts'
import {
  type Effect,
  type Ending,
  isRunning,
  type Step,
  type Supervision,
  type SupervisionEvent,
} from './supervision.ts'
import { backoffMs, type Timings } from './timings.ts'
import { beginStart, stopped, takeDown, unchanged } from './transitions.ts'

/** As sysexits has it: the configuration is at fault. */
const EXIT_CONFIG = 78

/** Why it had to end, if somebody made it. */
const CAUSES = {
  itself: '',
  told: ' after it was told to stop',
  unhealthy: ' because it failed its health checks',
} as const

/** One sentence about the end of a gateway, for people. */
function describeEnding(ending: Ending, cause: keyof typeof CAUSES): string {
  if (ending.startFailure !== undefined) return `It could not be started: ${ending.startFailure}.`
  const because = CAUSES[cause]
  if (!ending.known)
    return `It ended${because}. An earlier watchdog had started it, so its exit code is not known.`
  if (ending.signal !== null) return `It was ended by ${ending.signal}${because}.`
  const hint =
    ending.code === EXIT_CONFIG
      ? ' Its configuration is at fault: starting it again will not help until that is mended.'
      : ''
  return `It exited with code ${ending.code ?? 'unknown'}${because}.${hint}`
}

type EventOf<Type extends SupervisionEvent['type']> = Extract<SupervisionEvent, { type: Type }>
type Reaction<Event> = (state: Supervision, event: Event, now: number, timings: Timings) => Step

const REACTIONS: { readonly [Type in SupervisionEvent['type']]: Reaction<EventOf<Type>> } = {
  // Also when it is to stay stopped: an earlier watchdog may have left one running.
  boot: (state) => beginStart(state),
  command: (state, { command }, now, timings) => obey(state, command, now, timings),
  switch: (state, { autoRestart }) => switchAutoRestart(state, autoRestart),
  poll: onPoll,
  time: onTime,
  examined: onExamined,
  checked: onChecked,
  exited: onExited,
  close: onClose,
}

/** The whole of the watchdog's judgement: what happened and when, in; the new state and what to do, out. */
export function step(state: Supervision, event: SupervisionEvent, now: number, timings: Timings): Step {
  // The table pairs each type with its event, which a lookup by that type cannot express.
  const react = REACTIONS[event.type] as Reaction<SupervisionEvent>
  return react(state, event, now, timings)
}

function onPoll(state: Supervision): Step {
  if (isRunning(state)) return { state, effects: [{ type: 'check', run: state.run, counts: true }] }
  const { name } = state.phase
  return name === 'foreign' || name === 'refused'
    ? { state, effects: [{ type: 'examine' }] }
    : unchanged(state)
}

function onTime(state: Supervision, _event: EventOf<'time'>, now: number, timings: Timings): Step {
  const { phase } = state
  if (phase.name === 'backing-off' && now >= phase.retryAt) return beginStart(state)
  if (phase.name === 'stopping' && now >= phase.killAt) {
    return {
      state: { ...state, phase: { ...phase, killAt: now + timings.killRepeatMs } },
      effects: [{ type: 'kill' }],
    }
  }
  if (phase.name === 'starting' && now >= phase.probeAt) {
    return {
      state: { ...state, phase: { ...phase, probeAt: now + timings.startProbeMs } },
      effects: [{ type: 'check', run: state.run, counts: false }],
    }
  }
  return unchanged(state)
}

function onExamined(
  state: Supervision,
  { finding }: EventOf<'examined'>,
  now: number,
  timings: Timings,
): Step {
  if (!['examining', 'foreign', 'refused'].includes(state.phase.name)) return unchanged(state)
  const mayRun = state.wanted === 'running' && !state.closing
  if (finding.kind === 'ours') {
    const run = state.run + 1
    const adopted: Supervision = {
      ...state,
      run,
      failures: 0,
      restartCause: undefined,
      phase: { name: 'starting', probeAt: now },
    }
    const adopt: Effect = { type: 'adopt', run, record: finding.record }
    if (mayRun) return { state: adopted, effects: [adopt] }
    const ended = takeDown(adopted, { killAt: now + timings.drainMs, next: 'stay', retryAt: now })
    return { state: ended.state, effects: [adopt, ...ended.effects] }
  }
  if (!mayRun) return stopped(state, 'Stopped on command.')
  if (finding.kind === 'foreign')
    return unchanged({ ...state, phase: { name: 'foreign', holder: finding.holder } })
  if (finding.kind === 'unproven')
    return unchanged({ ...state, phase: { name: 'refused', reason: finding.reason } })
  return spawn(state, now, timings)
}

function spawn(state: Supervision, now: number, { startProbeMs }: Timings): Step {
  const { restartCause: cause, restarts } = state
  const run = state.run + 1
  return {
    state: {
      ...state,
      run,
      failures: 0,
      restartCause: undefined,
      restarts: cause === undefined ? restarts : { ...restarts, [cause]: restarts[cause] + 1 },
      phase: { name: 'starting', probeAt: now + startProbeMs },
    },
    effects: [{ type: 'spawn', run }],
  }
}

function onChecked(state: Supervision, event: EventOf<'checked'>, now: number, timings: Timings): Step {
  const { check, counts } = event
  if (event.run !== state.run || !isRunning(state)) return unchanged(state)
  // One that becomes healthy is started again at once whenever it fails: only one that never does has to wait.
  if (check.ok)
    return unchanged({ ...state, failures: 0, crashes: 0, lastCheck: check, phase: { name: 'healthy' } })
  // A gateway that is only just starting is asked often; it does not fail by not being there yet.
  if (!counts) return unchanged(state)
  const failed: Supervision = {
    ...state,
    failures: state.failures + 1,
    lastCheck: check,
    phase: state.phase.name === 'starting' ? state.phase : { name: 'unhealthy' },
  }
  if (failed.failures < timings.failuresBeforeRestart || !state.autoRestart) return unchanged(failed)
  const crashes = state.crashes + 1
  return takeDown(
    { ...failed, crashes, restartCause: 'unhealthy' },
    {
      killAt: now + (check.timedOut ? timings.unresponsiveGraceMs : timings.drainMs),
      next: 'restart',
      // From now, not from its end: a process that takes long to die has cost the waiting time already.
      retryAt: now + backoffMs(crashes, timings),
    },
  )
}

function onExited(state: Supervision, event: EventOf<'exited'>, now: number, timings: Timings): Step {
  const { phase } = state
  if (event.run !== state.run || !(isRunning(state) || phase.name === 'stopping')) return unchanged(state)
  const { at, code, signal, lastErrors } = event.ending
  const whenStopping = state.restartCause === 'unhealthy' ? 'unhealthy' : 'told'
  const reason = describeEnding(event.ending, phase.name === 'stopping' ? whenStopping : 'itself')
  const ended: Supervision = {
    ...state,
    failures: 0,
    lastExit: { at, code, signal, reason, lastErrors },
  }
  if (phase.name === 'stopping') {
    if (phase.next === 'stay' || state.closing) return stopped(ended, 'Stopped on command.')
    return waitUntil(ended, phase.retryAt, now)
  }
  if (state.closing) return stopped(ended, 'Stopped on command.')
  if (!state.autoRestart) return stopped(ended, 'It went down, and auto-restart is off.')
  const crashes = state.crashes + 1
  return waitUntil({ ...ended, crashes, restartCause: 'exited' }, now + backoffMs(crashes, timings), now)
}

function waitUntil(state: Supervision, retryAt: number, now: number): Step {
  return retryAt <= now ? beginStart(state) : unchanged({ ...state, phase: { name: 'backing-off', retryAt } })
}

function onClose(
  state: Supervision,
  { leaveRunning }: EventOf<'close'>,
  now: number,
  { drainMs }: Timings,
): Step {
  const closing: Supervision = { ...state, closing: true }
  const { phase } = state
  if (phase.name === 'stopping') return unchanged({ ...closing, phase: { ...phase, next: 'stay' } })
  if (leaveRunning) return stopped(closing, 'The watchdog is ending and leaves the gateway as it is.')
  if (isRunning(state)) return takeDown(closing, { killAt: now + drainMs, next: 'stay', retryAt: now })
  // It may be about to find a gateway that an earlier watchdog left running, which ends with this one.
  return phase.name === 'examining' ? unchanged(closing) : stopped(closing, 'The watchdog is ending.')
}
