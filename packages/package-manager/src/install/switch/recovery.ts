import { InstallFailure } from '../install-failure.ts'
import type { InstalledState } from '../state/installed-state.ts'
import { loadState } from '../state/load-state.ts'
import type { Workplace } from '../workplace.ts'
import { readJournal, type Switch } from './journal.ts'
import { finishSwitch, undoSwitch } from './perform-switch.ts'
import { sweep } from './sweep.ts'

/** Brings an installation into order, whatever stopped the one before. Needs the lock. */
export async function recover(place: Workplace): Promise<InstalledState> {
  const plan = await readJournal(place.layout)
  if (plan !== undefined) await settleSwitch(place, plan)
  const state = await loadState(place)
  await sweep(place.layout, state)
  return state
}

async function settleSwitch(place: Workplace, plan: Switch): Promise<void> {
  const { identifier } = plan
  try {
    await finishSwitch(place, plan)
    place.notify(`a change of ${identifier} that had been interrupted was finished`)
  } catch (error) {
    await undoSwitch(place, plan).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new InstallFailure(
        'recovery_failed',
        `a change of ${identifier} was interrupted and can neither be finished nor undone (${why}): close programs that use its files, then try again`,
        { identifier, cause: error },
      )
    })
    place.notify(`a change of ${identifier} that had been interrupted was undone`)
  }
}
