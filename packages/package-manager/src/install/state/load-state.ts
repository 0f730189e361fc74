import { rename } from 'node:fs/promises'
import { isThere } from '../../file-system.ts'
import type { Workplace } from '../workplace.ts'
import { type InstalledState, readState, writeState } from './installed-state.ts'
import { restoreState } from './restore-state.ts'

/** The state, restored when its file is damaged or missing. Needs the lock, and no switch under way. */
export async function loadState({ layout, step, notify }: Workplace): Promise<InstalledState> {
  const state = await readState(layout)
  if (typeof state === 'object') return state
  const restored = await restoreState(layout)
  if (state === 'damaged') {
    const aside = await freeName(`${layout.installed}.damaged`)
    await rename(layout.installed, aside)
    notify(`${layout.installed} was damaged: it is now ${aside}, and was restored from what is on the disk`)
  } else if (restored.size > 0) {
    notify(`${layout.installed} was missing: it was restored from what is on the disk`)
  }
  await writeState(layout, restored, step)
  return restored
}

/** An earlier damaged file may be what somebody still wants to look at. */
async function freeName(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? path : `${path}.${count}`
    if (!(await isThere(name))) return name
  }
}
