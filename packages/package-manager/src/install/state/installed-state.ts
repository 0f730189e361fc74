import { writeAtomically } from '@patchbay/primitives/files'
import { PUBLISHED, readIfThere } from '../../file-system.ts'
import { InstallFailure } from '../install-failure.ts'
import type { InstalledEntry } from '../installed-package.ts'
import { isIdentifier, type Layout } from '../layout.ts'
import type { Step } from '../workplace.ts'
import { isRecord, parseEntry, parseRecord } from './parse-generation.ts'

/** What is installed, by identifier. */
export type InstalledState = ReadonlyMap<string, InstalledEntry>

const FORMAT = 1

/** `missing` on the first start and when somebody deleted it; `damaged` when it cannot be used. */
export async function readState({ installed }: Layout): Promise<InstalledState | 'missing' | 'damaged'> {
  const text = (await readIfThere(installed))?.toString('utf8')
  if (text === undefined) return 'missing'
  const { format, packages } = parseRecord(text) ?? {}
  if (typeof format === 'number' && format > FORMAT)
    throw new InstallFailure(
      'state_too_new',
      `${installed} was written by a newer version of this program: use that version, or a newer one`,
    )
  if (format !== FORMAT || !isRecord(packages)) return 'damaged'
  const state = new Map<string, InstalledEntry>()
  for (const [identifier, value] of Object.entries(packages)) {
    const entry = parseEntry(value)
    // It becomes paths.
    if (entry === undefined || !isIdentifier(identifier)) return 'damaged'
    state.set(identifier, entry)
  }
  return state
}

export async function writeState({ installed }: Layout, state: InstalledState, step: Step): Promise<void> {
  const packages = Object.fromEntries([...state].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  await writeAtomically(installed, `${JSON.stringify({ format: FORMAT, packages }, undefined, 2)}\n`, {
    mode: PUBLISHED.mode,
    step,
  })
}

/** `undefined` removes the entry. */
export function withEntry(
  state: InstalledState,
  identifier: string,
  entry: InstalledEntry | undefined,
): InstalledState {
  const changed = new Map(state)
  if (entry === undefined) changed.delete(identifier)
  else changed.set(identifier, entry)
  return changed
}
