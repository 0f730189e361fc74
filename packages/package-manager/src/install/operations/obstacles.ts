import { isThere } from '../../file-system.ts'
import { InstallFailure } from '../install-failure.ts'
import { KNOWN_FOLDERS } from '../known-folders.ts'
import { type Layout, treeOf } from '../layout.ts'
import type { InstalledState } from '../state/installed-state.ts'
import { installedSpelling } from './find-installed.ts'

/** Which of the known folders hold something of a package, below the root or below a home. */
export async function findTrees(base: string, identifier: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of KNOWN_FOLDERS) if (await isThere(treeOf(base, folder, identifier))) found.push(folder)
  return found
}

/** Nothing that somebody else put in the place of a new package is touched. */
export function refuseStrangers(
  { root }: Layout,
  state: InstalledState,
  identifier: string,
  occupied: readonly string[],
): void {
  const twin = installedSpelling(state, identifier)
  if (twin !== undefined)
    throw new InstallFailure(
      'identifier_clash',
      `${identifier} and the installed ${twin} would share their folders where upper and lower case are the same: remove ${twin} first`,
      { identifier },
    )
  const [folder] = occupied
  if (folder !== undefined)
    throw new InstallFailure(
      'folder_in_the_way',
      `${treeOf(root, folder, identifier)} is there and was not installed by this manager: move it away or delete it, then install again`,
      { identifier },
    )
}
