import { mkdir, writeFile } from 'node:fs/promises'
import { flushFolder, removeFile } from '@patchbay/primitives/files'
import { packageFolderOf, pinOf } from '../layout.ts'
import type { InstalledState } from '../state/installed-state.ts'
import type { Workplace } from '../workplace.ts'
import { findInstalled } from './find-installed.ts'

/** A pin is a file of its own: it outlives the state file, and its presence is all that counts. */
export async function pin({ layout }: Workplace, state: InstalledState, identifier: string): Promise<void> {
  findInstalled(state, identifier)
  await mkdir(packageFolderOf(layout, identifier), { recursive: true })
  await writeFile(pinOf(layout, identifier), '')
  await flushFolder(packageFolderOf(layout, identifier))
}

export async function unpin({ layout }: Workplace, state: InstalledState, identifier: string): Promise<void> {
  findInstalled(state, identifier)
  await removeFile(pinOf(layout, identifier))
}
