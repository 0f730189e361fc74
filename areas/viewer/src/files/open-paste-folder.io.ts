import { join } from 'node:path'
import type { Problem } from '@patchbay/contracts/core'
import type { Log } from '@patchbay/kernel/log'
import { KeyedMutex } from '@patchbay/primitives/async'
import { acquireLock, type FileLock, type LockHolder, unlessFailed } from '@patchbay/primitives/files'
import type { PasteFolder } from '../ports.ts'
import { Changes } from './changes.io.ts'
import { type Around, Disk } from './disk.io.ts'
import { explain, unavailable } from './folder-fault.ts'
import type { Layout } from './layout.ts'
import { FreeNames } from './move.io.ts'
import { DiskPasteFolder } from './paste-folder.io.ts'
import { PasteIndex } from './paste-index.ts'
import { hasHardLinks, prepareFolders, Stages, watchFolders } from './paste-storage.io.ts'
import { Records } from './record.io.ts'
import { recover } from './recovery.io.ts'

export interface PasteFolderOptions {
  /** The folder with the project's content. */
  readonly project: string
  readonly now: () => Date
  /** A UUID. */
  readonly newId: () => string
  readonly log: Log
  /** How often it is looked for what was in the trash for a day. */
  readonly tidyEveryMs?: number
  readonly mostRecords?: number
  readonly around?: Around
}

const TIDY_EVERY_MS = 60 * 60 * 1_000
const MOST_RECORDS = 1_000

/**
 * Takes the folder of a project for this process and puts it in order. Fails with `folder_unavailable`, whose text says
 * who has it or what is in the way.
 */
export async function openPasteFolder(options: PasteFolderOptions): Promise<PasteFolder> {
  const { project, now, newId } = options
  try {
    const disk = new Disk(options.around)
    const layout = await prepareFolders(disk, project)
    const path = join(layout.state, 'lock')
    const lock = await acquireLock(path, {
      createId: newId,
      now: () => now().getTime(),
      patienceMs: 0,
      silenceMs: Infinity,
      busy: (holder) => taken(path, holder),
    })
    try {
      return await openLocked(disk, layout, lock, options)
    } catch (error) {
      await lock.release().catch(() => undefined)
      throw error
    }
  } catch (error) {
    throw explain(error)
  }
}

function taken(path: string, holder: LockHolder | undefined): Problem {
  if (holder === undefined)
    return unavailable(`No viewer made ${path}. Delete it if no other viewer has this project.`)
  const { pid, host, since } = holder
  return unavailable(
    `Another viewer has this project: process ${pid} on ${host}, since ${since}. Stop it, or delete ${path} if you know that it is gone.`,
  )
}

async function openLocked(
  disk: Disk,
  layout: Layout,
  lock: FileLock,
  { now, newId, log, mostRecords = MOST_RECORDS, tidyEveryMs = TIDY_EVERY_MS }: PasteFolderOptions,
): Promise<PasteFolder> {
  if ((await unlessFailed(disk.read(layout.gitignore), 'ENOENT')) !== '*\n')
    await disk.replace(layout.gitignore, '*\n')
  const storage = { disk, layout, links: await hasHardLinks(disk, layout) }
  const [records, pasteIndex, mutex] = [new Records(disk, layout), new PasteIndex(), new KeyedMutex()]
  const changes = new Changes(storage, records, pasteIndex, log)
  for (const record of await recover({ storage, records, changes, log })) pasteIndex.put(record)
  const folder = new DiskPasteFolder({
    storage,
    lock,
    records,
    pasteIndex,
    changes,
    mutex,
    names: new FreeNames(storage),
    stages: new Stages(storage),
    checkFolders: await watchFolders(disk, layout),
    now,
    newId,
    log,
    mostRecords,
    tidyEveryMs,
  })
  await folder.tidy()
  return folder
}
