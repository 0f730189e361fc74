import { mkdir } from 'node:fs/promises'
import { flushFolder } from '@patchbay/primitives/files'
import { isThere, listFolder } from '../../file-system.ts'
import type { Change } from '../change.ts'
import { explainDiskFailure } from '../disk-failure.ts'
import type { Generation, InstalledEntry, InstalledFile } from '../installed-package.ts'
import { homeOf, packageFolderOf } from '../layout.ts'
import { type Carried, carryKept } from '../stage/carry-kept.ts'
import { flushTree } from '../stage/flush-tree.ts'
import { type KeptPatterns, openPatterns } from '../stage/kept-patterns.ts'
import { type InstalledState, withEntry } from '../state/installed-state.ts'
import { writeManifest } from '../state/manifest.ts'
import { performSwitch } from '../switch/perform-switch.ts'
import { sweep } from '../switch/sweep.ts'
import type { Workplace } from '../workplace.ts'
import { findTrees, refuseStrangers } from './obstacles.ts'

/** What a stager puts at home. */
export interface Staged {
  readonly generation: Omit<Generation, 'number' | 'folders' | 'installedAt'>
  readonly files: readonly InstalledFile[]
}

export interface Replacement {
  readonly identifier: string
  readonly kind: Change['kind']
  /** Which installed files are carried over. */
  readonly patterns: readonly string[]
  readonly force: boolean
  readonly warnings: readonly string[]
  readonly stage: (home: string) => Promise<Staged>
}

/** Stages a version, carries kept files over and switches. Whatever fails, what was installed stays. */
export async function replace(
  place: Workplace,
  state: InstalledState,
  replacement: Replacement,
): Promise<Change> {
  const { identifier, kind, force } = replacement
  const { layout, step } = place
  const before = state.get(identifier)
  const patterns = openPatterns(identifier, before ? replacement.patterns : [], { force })
  const taken = await findTrees(layout.root, identifier)
  if (before === undefined) refuseStrangers(layout, state, identifier, taken)
  try {
    const { generation, carried } = await stage(place, replacement, patterns, before)
    await step('staged')
    const after: InstalledEntry = { current: generation, ...(before && { previous: before.current }) }
    await performSwitch(place, { identifier, taken, after, ...(before && { before }) })
    await sweep(layout, withEntry(state, identifier, after))
    await step('swept')
    return {
      identifier,
      kind,
      ...(before && { from: before.current.version }),
      to: generation.version,
      kept: carried.kept,
      warnings: [...replacement.warnings, ...patterns.warnings(), ...carried.notKept.map(warnOfLost)],
    }
  } catch (error) {
    // With a journal there is a switch to be settled, which needs what is staged.
    if (!(await isThere(layout.journal))) await sweep(layout, state)
    throw explainDiskFailure(error, identifier)
  }
}

/** Afterwards everything of the new generation is on the disk, and nobody but us has seen it. */
async function stage(
  { layout, step, now }: Workplace,
  { identifier, stage: stageFiles }: Replacement,
  patterns: KeptPatterns,
  before: InstalledEntry | undefined,
): Promise<{ generation: Generation; carried: Carried }> {
  const folder = packageFolderOf(layout, identifier)
  const number = await nextNumber(folder, before)
  const home = homeOf(layout, identifier, number)
  const { generation: staged, files } = await stageFiles(home)
  await mkdir(home, { recursive: true })
  const carried = await carryKept(layout, { identifier, home, patterns })
  await step('kept files carried')
  const installedAt = new Date(now()).toISOString()
  const generation = { ...staged, number, installedAt, folders: await findTrees(home, identifier) }
  await writeManifest(home, { identifier, generation, files }, step)
  await flushTree(home)
  await flushFolder(folder)
  await flushFolder(layout.packages)
  return { generation, carried }
}

async function nextNumber(folder: string, before: InstalledEntry | undefined): Promise<number> {
  const names = await listFolder(folder)
  const numbers = names.filter((name) => /^\d+$/.test(name)).map(Number)
  return Math.max(0, before?.current.number ?? 0, ...numbers) + 1
}

function warnOfLost(path: string): string {
  return `${path} could not be kept, because this version has something else in its place; it is in the previous version`
}
