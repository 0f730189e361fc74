import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'
import type { Stage } from '../ports.ts'
import type { Disk } from './disk.io.ts'
import { unavailable } from './folder-fault.ts'
import { isId, type Layout, layoutOf, stageOf } from './layout.ts'

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

/** The staging places that are in use. */
export class Stages {
  readonly #storage: PasteStorage
  readonly #ids = new Set<string>()

  constructor(storage: PasteStorage) {
    this.#storage = storage
  }

  async open(id: string, discard: () => Promise<void>): Promise<Stage> {
    const { disk, layout } = this.#storage
    if (!isId(id)) throw new TypeError('this is no id of a paste')
    const { folder, ...files } = stageOf(layout, id)
    if (!(await disk.makeFolder(folder, 0o700))) throw new TypeError('this id is in use')
    this.#ids.add(id)
    return { id, ...files, discard }
  }

  /** The sizes of what lies in it, whatever anybody says of them. Throws when there is nothing to take in. */
  async measure(id: string): Promise<{ optimized: number; original: number }> {
    const { disk, layout } = this.#storage
    if (!this.#ids.has(id)) throw new TypeError('this staging place is not in use')
    const stage = stageOf(layout, id)
    const [optimized, original] = await Promise.all([disk.look(stage.optimized), disk.look(stage.original)])
    if (![optimized, original].every((file) => file?.isFile() === true && file.size > 0n))
      throw new TypeError('both pictures must be in the staging place')
    return { optimized: Number(optimized?.size), original: Number(original?.size) }
  }

  forget(id: string): void {
    this.#ids.delete(id)
  }

  async discard(id: string): Promise<void> {
    if (!this.#ids.has(id)) return
    await this.#storage.disk.deleteTree(stageOf(this.#storage.layout, id).folder)
    this.#ids.delete(id)
  }

  async discardAll(): Promise<void> {
    for (const id of this.#ids) await this.discard(id)
  }
}
