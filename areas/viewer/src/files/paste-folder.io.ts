import { join } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import type { NamedBy } from '@patchbay/contracts/viewer'
import type { Log } from '@patchbay/kernel/log'
import type { KeyedMutex } from '@patchbay/primitives/async'
import type { FileLock } from '@patchbay/primitives/files'
import type { NewPaste, PasteFolder, Stage, StoredPaste } from '../ports.ts'
import { type Changes, placeOf } from './changes.io.ts'
import { explain, unavailable } from './folder-fault.ts'
import { keepHouse } from './housekeeping.io.ts'
import { baseOf } from './layout.ts'
import type { FreeNames } from './move.io.ts'
import type { PasteIndex } from './paste-index.ts'
import {
  broughtBack,
  isExpired,
  mayName,
  namingEnded,
  newRecord,
  type PasteRecord,
  present,
  removed,
  renamed,
  undone,
} from './paste-record.ts'
import type { PasteStorage, Stages } from './paste-storage.io.ts'
import { isPlainFile, plainFilesIn } from './presence.io.ts'
import type { Records } from './record.io.ts'

export interface FolderParts {
  readonly storage: PasteStorage
  readonly lock: FileLock
  readonly records: Records
  readonly pasteIndex: PasteIndex
  readonly changes: Changes
  readonly names: FreeNames
  readonly stages: Stages
  /** One change at a time for each paste. */
  readonly mutex: KeyedMutex
  /** Fails when the folder is not the one that was opened. */
  readonly checkFolders: () => Promise<void>
  readonly now: () => Date
  readonly newId: () => string
  readonly log: Log
  readonly mostRecords: number
  readonly tidyEveryMs: number
}

/** The folder of pastes on a disk. What it promises is said at `PasteFolder`. */
export class DiskPasteFolder implements PasteFolder {
  readonly path: string
  readonly #parts: FolderParts
  readonly #tidying: NodeJS.Timeout
  #tidied: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: FolderParts) {
    this.path = parts.storage.layout.folder
    this.#parts = parts
    this.#tidying = setInterval(() => void this.tidy(), parts.tidyEveryMs).unref()
  }

  async stage(): Promise<Stage> {
    const id = this.#parts.newId()
    return await this.#inTurn(id, () => this.#parts.stages.open(id, () => this.#discard(id)))
  }

  async add({ id }: Stage, paste: NewPaste): Promise<StoredPaste> {
    const { stages, names, changes, pasteIndex } = this.#parts
    const stored = await this.#inTurn(id, async () => {
      const bytes = await stages.measure(id)
      const fresh = newRecord(id, paste, bytes)
      return await names.use({ name: fresh.name, size: fresh.optimized }, async (name) => {
        await changes.arrive({ ...fresh, name })
        stages.forget(id)
        return pasteIndex.get(id) ?? fresh
      })
    })
    await this.tidy()
    return present(stored)
  }

  find(id: string): StoredPaste | undefined {
    const record = this.#parts.pasteIndex.get(id)
    return record === undefined || !this.#isListed(record) ? undefined : present(record)
  }

  list(): readonly StoredPaste[] {
    const { pasteIndex, mutex } = this.#parts
    const files = plainFilesIn(this.path)
    return pasteIndex
      .listed()
      .filter(
        ({ id, optimized, original }) =>
          (files.has(optimized.file) && files.has(original.file)) || mutex.isLocked(id),
      )
  }

  async rename(id: string, name: string, by: NamedBy, note?: string): Promise<StoredPaste> {
    return await this.#change(id, async (record) => {
      // Thrown back also when it would not count.
      baseOf(name, record.optimized)
      if (!mayName(record, by)) return
      await this.#moveTo(record, name, (free) => renamed(record, free, by, note))
    })
  }

  async endNaming(id: string, note: string | undefined): Promise<StoredPaste> {
    return await this.#change(id, async (record) => {
      if (record.isNaming) await this.#parts.changes.note(namingEnded(record, note))
    })
  }

  async undo(id: string): Promise<StoredPaste> {
    return await this.#change(
      id,
      async (record) => {
        const next = record.removedAt === null ? undone(record) : broughtBack(record)
        if (next === undefined) throw new Problem('nothing_to_undo')
        await this.#moveTo(record, next.name, (name) => ({ ...next, name }))
      },
      'also removed ones',
    )
  }

  async remove(id: string): Promise<void> {
    const { changes, now } = this.#parts
    await this.#inTurn(id, async () => {
      const record = await this.#current(id)
      await changes.move(record, removed(record, now()))
    })
    await this.tidy()
  }

  pathOf(file: string): string | undefined {
    const record = this.#parts.pasteIndex.ownerOf(file)
    return record === undefined || !this.#isListed(record) ? undefined : join(this.path, file)
  }

  /** Trash that is a day old, records beyond the limit. What fails is tried again the next time. */
  async tidy(): Promise<void> {
    this.#tidied = this.#tidied.then(() => this.#tidy())
    await this.#tidied
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#tidying)
    const { mutex, stages, lock, log } = this.#parts
    await this.#tidied
    await mutex.idle()
    try {
      await this.#parts.checkFolders()
      await stages.discardAll()
      await lock.release()
    } catch (err) {
      // The next viewer sees that this process is gone, and tidies up.
      log.warn({ err }, 'failed to close the paste folder')
    }
  }

  async #tidy(): Promise<void> {
    try {
      await this.#parts.checkFolders()
      await keepHouse(this.#parts)
    } catch (err) {
      this.#parts.log.warn({ err }, 'paste folder cleanup failed')
    }
  }

  async #change(
    id: string,
    work: (record: PasteRecord) => Promise<void>,
    which?: 'also removed ones',
  ): Promise<StoredPaste> {
    return await this.#inTurn(id, async () => {
      const record = await this.#current(id, which)
      await work(record)
      return present(this.#parts.pasteIndex.get(id) ?? record)
    })
  }

  async #moveTo(before: PasteRecord, name: string, next: (name: string) => PasteRecord): Promise<void> {
    const { names, changes } = this.#parts
    const isRemoved = before.removedAt !== null
    const wanted = { name, size: before.optimized, ...(isRemoved ? {} : { own: before.name }) }
    await names.use(wanted, (free) =>
      free === before.name && !isRemoved ? changes.note(next(free)) : changes.move(before, next(free)),
    )
  }

  async #discard(id: string): Promise<void> {
    const { mutex, changes, stages } = this.#parts
    await mutex.run(id, async () => {
      try {
        await this.#parts.checkFolders()
        await changes.settlePending(id)
        await stages.discard(id)
      } catch (err) {
        // Whoever gives up an upload can do nothing about it; the next start does.
        this.#parts.log.warn({ err }, 'failed to remove staging folder')
      }
    })
  }

  /** The paste, with whatever the disk did not allow last time put right. */
  async #current(id: string, which?: 'also removed ones'): Promise<PasteRecord> {
    await this.#parts.changes.settlePending(id)
    const record = this.#parts.pasteIndex.get(id)
    const isThere =
      record !== undefined &&
      this.#hasFiles(record) &&
      (record.removedAt === null || (which !== undefined && !isExpired(record, this.#parts.now())))
    if (!isThere) throw new Problem('paste_not_found')
    return record
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The viewer is being stopped.')
    return await this.#parts.mutex.run(id, async () => {
      try {
        await this.#parts.checkFolders()
        return await work()
      } catch (error) {
        throw explain(error)
      }
    })
  }

  /** While its files are on their way a paste is where it was. */
  #isListed(record: PasteRecord): boolean {
    return record.removedAt === null && (this.#parts.mutex.isLocked(record.id) || this.#hasFiles(record))
  }

  #hasFiles(record: PasteRecord): boolean {
    return Object.values(placeOf(this.#parts.storage.layout, record)).every(isPlainFile)
  }
}
