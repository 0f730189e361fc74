import type { PanelState } from '../panel-definition.ts'

/** Sets keys of a state; null removes one. */
export function patchState(state: PanelState, patch: PanelState): PanelState {
  const entries = Object.entries({ ...state, ...patch }).filter(([, value]) => value !== null)
  return Object.fromEntries(entries)
}

/** Two patches as one, which has to be able to remove what the first one set. */
export function joinPatches(first: PanelState, second: PanelState): PanelState {
  return { ...first, ...second }
}
