import { isDeepStrictEqual } from 'node:util'
import { explainDiskFailure } from '../disk-failure.ts'
import type { InstalledEntry } from '../installed-package.ts'
import { withEntry, writeState } from '../state/installed-state.ts'
import { loadState } from '../state/load-state.ts'
import type { Workplace } from '../workplace.ts'
import { goBack, goForward } from './exchange.ts'
import { removeJournal, type Switch, writeJournal } from './journal.ts'

/** Carries a switch out, or undoes it and throws. */
export async function performSwitch(place: Workplace, plan: Switch): Promise<void> {
  const { layout, step } = place
  try {
    await writeJournal(layout, plan, step)
    await step('journal written')
    await finishSwitch(place, plan)
  } catch (error) {
    // If this fails too, the journal stays for whoever opens the installation next.
    await undoSwitch(place, plan).catch(() => undefined)
    throw explainDiskFailure(error, plan.identifier)
  }
}

/** From wherever it stopped. */
export async function finishSwitch(place: Workplace, plan: Switch): Promise<void> {
  await goForward(place.layout, plan, place.step)
  await settle(place, plan.identifier, plan.after)
}

/** From wherever it stopped. */
export async function undoSwitch(place: Workplace, plan: Switch): Promise<void> {
  await goBack(place.layout, plan, place.step)
  await settle(place, plan.identifier, plan.before)
}

/** Not written again when it is so already: on a full disk that would fail, and there is a way back only without it. */
async function settle(
  place: Workplace,
  identifier: string,
  entry: InstalledEntry | undefined,
): Promise<void> {
  const { layout, step } = place
  const state = await loadState(place)
  if (!isDeepStrictEqual(state.get(identifier), entry)) {
    await writeState(layout, withEntry(state, identifier, entry), step)
  }
  await step('state written')
  await removeJournal(layout, step)
}
