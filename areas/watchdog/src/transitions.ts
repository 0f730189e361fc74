import type { Phase, Step, Supervision } from './supervision.ts'

export function unchanged(state: Supervision): Step {
  return { state, effects: [] }
}

/** Nothing is started over a process that has the gateway's place, so whoever starts looks first. */
export function beginStart(state: Supervision): Step {
  return { state: { ...state, phase: { name: 'examining' } }, effects: [{ type: 'examine' }] }
}

export function stopped(state: Supervision, reason: string): Step {
  return unchanged({ ...state, failures: 0, restartCause: undefined, phase: { name: 'stopped', reason } })
}

export function takeDown(state: Supervision, how: Omit<Extract<Phase, { name: 'stopping' }>, 'name'>): Step {
  return { state: { ...state, phase: { name: 'stopping', ...how } }, effects: [{ type: 'terminate' }] }
}
