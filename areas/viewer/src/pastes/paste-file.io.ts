import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Problem } from '@patchbay/contracts/core'
import type { PasteFolder } from '../ports.ts'

/** Links are not followed: whoever can put one into the project must not have other files served. */
export async function openPaste(folder: Pick<PasteFolder, 'pathOf'>, file: string): Promise<FileHandle> {
  const path = folder.pathOf(file)
  if (path === undefined) throw new Problem('paste_not_found')
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (cause) {
    // Renamed or taken away a moment ago.
    throw new Problem('paste_not_found', { cause })
  }
}
