import { join } from 'node:path'
import { isThere, listFolder } from '../../file-system.ts'
import { InstallFailure } from '../install-failure.ts'
import type { Generation, InstalledEntry } from '../installed-package.ts'
import { folderNameOf, isIdentifier, type Layout, treeOf } from '../layout.ts'
import type { InstalledState } from './installed-state.ts'
import { type Manifest, readManifest } from './manifest.ts'

/**
 * What is installed, from the manifests and from where the files are. Only when no switch is under way: half of one
 * looks like nothing that was ever installed.
 */
export async function restoreState({ packages }: Layout): Promise<InstalledState> {
  const state = new Map<string, InstalledEntry>()
  for (const name of (await listFolder(packages)).toSorted()) {
    const folder = join(packages, name)
    const manifests = await readManifests(folder, name)
    const entry = await findEntry(folder, manifests)
    const identifier = manifests[0]?.identifier
    if (entry !== undefined && identifier !== undefined) state.set(identifier, entry)
  }
  return state
}

/** From the newest to the oldest. */
async function readManifests(folder: string, name: string): Promise<Manifest[]> {
  const numbers = (await listFolder(folder)).filter((each) => /^\d+$/.test(each)).map(Number)
  const manifests: Manifest[] = []
  for (const number of numbers.toSorted((a, b) => b - a)) {
    const home = join(folder, String(number))
    const manifest = await readManifest(home)
    if (manifest !== undefined && manifest.generation.number === number && isOf(manifest, name)) {
      manifests.push(manifest)
    } else if (!(await hasTree(home))) {
      // Files that are staged have no manifest yet. Files that are nowhere else must be the installed ones.
      throw new InstallFailure(
        'state_damaged',
        `what is installed cannot be restored, because ${home} is damaged as well: delete ${folder} and every folder named ${name} below the folder of packages, then install the package again`,
      )
    }
  }
  return manifests
}

async function findEntry(
  folder: string,
  manifests: readonly Manifest[],
): Promise<InstalledEntry | undefined> {
  for (const [index, { identifier, generation }] of manifests.entries()) {
    const home = join(folder, String(generation.number))
    if (await isAtHome(home, identifier, generation)) continue
    const previous = manifests[index + 1]?.generation
    return previous === undefined ? { current: generation } : { current: generation, previous }
  }
  return undefined
}

async function isAtHome(home: string, identifier: string, { folders }: Generation): Promise<boolean> {
  const trees = await Promise.all(folders.map((folder) => isThere(treeOf(home, folder, identifier))))
  return trees.includes(true)
}

/** Something beside a manifest. */
async function hasTree(home: string): Promise<boolean> {
  for (const folder of await listFolder(home))
    if ((await listFolder(join(home, folder))).length > 0) return true
  return false
}

function isOf({ identifier }: Manifest, name: string): boolean {
  return isIdentifier(identifier) && folderNameOf(identifier) === name
}
