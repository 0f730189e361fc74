import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from '@patchbay/primitives/files'
import { isThere } from '../../file-system.ts'
import { homeOf, type Layout, treeOf } from '../layout.ts'
import type { Step } from '../workplace.ts'
import type { Switch } from './journal.ts'

/** The three places that the trees of one folder move between. */
interface Places {
  readonly installed: string
  /** Where the old tree goes. Absent when nothing was installed. */
  readonly old?: string
  /** Where the new tree comes from. Absent when the new version lacks the folder. */
  readonly staged?: string
}

/** Puts the new trees in the place of the old ones. Does what is left to do, however far somebody came before. */
export async function goForward(layout: Layout, plan: Switch, step: Step): Promise<void> {
  const folders = foldersOf(plan)
  for (const folder of folders) {
    const { installed, old, staged } = placesOf(layout, plan, folder)
    if (staged !== undefined && !(await isThere(staged))) continue
    if (old !== undefined) await setAside(installed, old, step)
    if (staged !== undefined) await move(staged, installed, step)
  }
  await flush(layout, plan, folders)
}

/** The opposite, from wherever it stopped. */
export async function goBack(layout: Layout, plan: Switch, step: Step): Promise<void> {
  const folders = foldersOf(plan)
  for (const folder of folders.toReversed()) {
    const { installed, old, staged } = placesOf(layout, plan, folder)
    const isPlaced = staged !== undefined && !(await isThere(staged))
    if (isPlaced && (await isThere(installed))) await move(installed, staged, step)
    if (old === undefined || !(await isThere(old))) continue
    await setAside(installed, old, step)
    await move(old, installed, step)
  }
  await flush(layout, plan, folders)
}

/** With the old tree set aside already, what is there now was created by somebody else since. */
async function setAside(installed: string, old: string, step: Step): Promise<void> {
  if (await isThere(installed)) await move(installed, (await isThere(old)) ? `${old}.stray` : old, step)
}

async function move(from: string, to: string, step: Step): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
  await step('tree moved')
}

async function flush(layout: Layout, plan: Switch, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const { installed, old, staged } = placesOf(layout, plan, folder)
    for (const path of [installed, old, staged]) {
      if (path !== undefined && (await isThere(dirname(path)))) await flushFolder(dirname(path))
    }
  }
}

function foldersOf({ after, taken }: Switch): string[] {
  return [...new Set([...taken, ...(after?.current.folders ?? [])])]
}

function placesOf(layout: Layout, { identifier, before, after, taken }: Switch, folder: string): Places {
  const home = (generation: number) => treeOf(homeOf(layout, identifier, generation), folder, identifier)
  const isNew = after?.current.folders.includes(folder) === true
  return {
    installed: treeOf(layout.root, folder, identifier),
    ...(before !== undefined && taken.includes(folder) ? { old: home(before.current.number) } : {}),
    ...(after !== undefined && isNew ? { staged: home(after.current.number) } : {}),
  }
}
