import type { Change } from '../change.ts'
import type { InstalledState } from '../state/installed-state.ts'
import { withEntry } from '../state/installed-state.ts'
import { performSwitch } from '../switch/perform-switch.ts'
import { sweep } from '../switch/sweep.ts'
import type { Workplace } from '../workplace.ts'
import { findInstalled } from './find-installed.ts'
import { findTrees } from './obstacles.ts'

export async function remove(place: Workplace, state: InstalledState, identifier: string): Promise<Change> {
  const before = findInstalled(state, identifier)
  const taken = await findTrees(place.layout.root, identifier)
  await performSwitch(place, { identifier, before, taken })
  await sweep(place.layout, withEntry(state, identifier, undefined))
  await place.step('swept')
  return { identifier, kind: 'removed', from: before.current.version, kept: [], warnings: [] }
}
