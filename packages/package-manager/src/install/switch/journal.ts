import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder, removeFile, unlessFailed, writeAtomically } from '@patchbay/primitives/files'
import { PUBLISHED } from '../../file-system.ts'
import { InstallFailure } from '../install-failure.ts'
import type { InstalledEntry } from '../installed-package.ts'
import { isIdentifier, type Layout } from '../layout.ts'
import { isFolderList, parseEntry, parseRecord } from '../state/parse-generation.ts'
import type { Step } from '../workplace.ts'

/** One switch: everything that is needed to finish it or to undo it. */
export interface Switch {
  readonly identifier: string
  readonly before?: InstalledEntry
  readonly after?: InstalledEntry
  /** The folders that were there to be taken away, which may be others than the old version came with. */
  readonly taken: readonly string[]
}

const FORMAT = 1

export async function writeJournal({ journal }: Layout, plan: Switch, step: Step): Promise<void> {
  await writeAtomically(journal, `${JSON.stringify({ format: FORMAT, ...plan })}\n`, {
    mode: PUBLISHED.mode,
    step,
  })
}

export async function removeJournal({ journal }: Layout, step: Step): Promise<void> {
  await removeFile(journal)
  await step('journal removed')
  // A journal that comes back after a power cut would be carried out on folders that have changed since.
  await flushFolder(dirname(journal))
}

export async function readJournal({ journal }: Layout): Promise<Switch | undefined> {
  const text = await unlessFailed(readFile(journal, 'utf8'), 'ENOENT')
  if (text === undefined) return undefined
  const plan = parseSwitch(text)
  if (plan !== undefined) return plan
  throw new InstallFailure(
    'state_damaged',
    `${journal} cannot be read, so a change that was under way cannot be finished: rename it, check what is installed, and install again what is not whole`,
  )
}

function parseSwitch(text: string): Switch | undefined {
  const { format, identifier, before: old, after: fresh, taken } = parseRecord(text) ?? {}
  if (format !== FORMAT || !isIdentifier(identifier) || !isFolderList(taken)) return undefined
  const [before, after] = [parseEntry(old), parseEntry(fresh)]
  if ((old !== undefined && before === undefined) || (fresh !== undefined && after === undefined))
    return undefined
  return {
    identifier,
    taken,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}
