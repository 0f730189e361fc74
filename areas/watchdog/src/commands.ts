import { type Command, isRunning, type Step, type Supervision } from './supervision.ts'
import type { Timings } from './timings.ts'
import { beginStart, stopped, takeDown, unchanged } from './transitions.ts'

/** What a command does in each phase. Giving it twice does no more than giving it once. */
export function obey(state: Supervision, command: Command, now: number, timings: Timings): Step {
  return { start, stop, restart }[command](state, now, timings)
}

function start(state: Supervision): Step {
  const wanted: Supervision = { ...state, wanted: 'running' }
  const { phase } = state
  if (isRunning(state) || phase.name === 'examining') return unchanged(wanted)
  if (phase.name === 'stopping') return unchanged({ ...wanted, phase: { ...phase, next: 'restart' } })
  // Whoever starts by hand has looked at the cause: the waiting time begins anew.
  return beginStart({ ...wanted, crashes: 0 })
}

function stop(state: Supervision, now: number, { drainMs }: Timings): Step {
  const wanted: Supervision = { ...state, wanted: 'stopped' }
  const { phase } = state
  if (isRunning(state)) return takeDown(wanted, { killAt: now + drainMs, next: 'stay', retryAt: now })
  if (phase.name === 'stopping') return unchanged({ ...wanted, phase: { ...phase, next: 'stay' } })
  // The examination may still find a gateway that an earlier watchdog left running, which is then stopped.
  return phase.name === 'examining' ? unchanged(wanted) : stopped(wanted, 'Stopped on command.')
}

function restart(state: Supervision, now: number, timings: Timings): Step {
  if (!isRunning(state)) return start(state)
  return takeDown(
    { ...state, wanted: 'running', crashes: 0, restartCause: 'commanded' },
    { killAt: now + timings.drainMs, next: 'restart', retryAt: now },
  )
}

/** Off leaves everything as it is but a start that is pending; on takes up what was left lying. */
export function switchAutoRestart(state: Supervision, to: boolean | 'toggle'): Step {
  const autoRestart = to === 'toggle' ? !state.autoRestart : to
  const switched: Supervision = { ...state, autoRestart, switchedTo: autoRestart }
  if (!autoRestart && state.phase.name === 'backing-off')
    return stopped(switched, 'It went down, and auto-restart is off.')
  if (autoRestart && state.phase.name === 'stopped' && state.wanted === 'running' && !state.closing)
    return beginStart({ ...switched, restartCause: 'exited' })
  return unchanged(switched)
}
