import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'
import type { Disk } from './disk.io.ts'
import { unavailable } from './folder-fault.ts'
import { type Layout, layoutOf } from './layout.ts'

/** The folder of the pastes on disk, and what its file system can do. */
export interface PasteStorage {
  readonly disk: Disk
  readonly layout: Layout
  /** Whether a file can have two names here. */
  readonly links: boolean
}

/** What systems say of a disk on which a file has one name. */
const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES', 'UNKNOWN']
const PUBLIC_FOLDER = 0o777
const PRIVATE_FOLDER = 0o700

/** Makes the folders that are missing. A link in their place is refused: it could lead anywhere, now or later. */
export async function prepareFolders(disk: Disk, project: string): Promise<Layout> {
  const root = await unlessFailed(realpath(project), 'ENOENT', 'ENOTDIR')
  if (root === undefined || (await disk.look(root))?.isDirectory() !== true)
    throw unavailable(`There is no folder ${project}.`)
  const layout = layoutOf(root)
  const { folder, state } = layout
  for (const path of [dirname(folder), folder]) await prepareFolder(disk, path, PUBLIC_FOLDER)
  for (const path of privateFolders(layout)) await prepareFolder(disk, path, PRIVATE_FOLDER)
  if ((await disk.look(folder))?.dev !== (await disk.look(state))?.dev)
    throw unavailable(`${state} is on another disk than the folder around it.`)
  return layout
}

/** Fails once one of the folders is not the one that was opened: removed, moved, or replaced by a link. */
export async function watchFolders(disk: Disk, layout: Layout): Promise<() => Promise<void>> {
  const paths = [dirname(layout.folder), layout.folder, ...privateFolders(layout)]
  const identify = () =>
    Promise.all(
      paths.map(async (path) => {
        const stats = await disk.look(path)
        return stats?.isDirectory() === true ? `${stats.dev} ${stats.ino}` : undefined
      }),
    )
  const opened = await identify()
  return async () => {
    const found = await identify()
    if (found.some((each, index) => each === undefined || each !== opened[index]))
      throw unavailable(
        `${layout.folder} was removed or replaced while the viewer runs. Put it back, or start the viewer again.`,
      )
  }
}

/** Tried out, because no system tells. A disk on which both names do not look like one file counts as one without. */
export async function hasHardLinks(disk: Disk, { state }: Layout): Promise<boolean> {
  const [one, two] = [join(state, 'probe-1'), join(state, 'probe-2')]
  await disk.delete(one)
  await disk.delete(two)
  try {
    await disk.reserve(one)
    const isMade = await unlessFailed(
      disk.link(one, two).then(() => true),
      ...NO_LINKS,
    )
    return isMade === true && (await disk.look(one))?.ino === (await disk.look(two))?.ino
  } finally {
    await disk.delete(one)
    await disk.delete(two)
  }
}

async function prepareFolder(disk: Disk, path: string, mode: number): Promise<void> {
  if (await disk.makeFolder(path, mode)) await disk.flushFolder(dirname(path))
  const stats = await disk.look(path)
  if (stats?.isDirectory() !== true)
    throw unavailable(
      `${path} is ${stats?.isSymbolicLink() === true ? 'a link' : 'no folder'}. Move it away: pastes are kept in a folder of the project itself.`,
    )
}

function privateFolders({ state, staging, records, trash, damaged }: Layout): string[] {
  return [state, staging, records, trash, damaged]
}
