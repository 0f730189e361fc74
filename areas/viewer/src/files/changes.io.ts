import { dirname } from 'node:path'
import type { Log } from '@patchbay/kernel/log'
import { type FilePair, filesOf, type Layout, stageOf, trashOf } from './layout.ts'
import {
  claimBoth,
  finishBoth,
  inspect,
  type Journey,
  judge,
  NameTaken,
  settleBoth,
  unclaimBoth,
} from './move.io.ts'
import type { PasteIndex } from './paste-index.ts'
import type { Entry, PasteRecord } from './paste-record.ts'
import type { PasteStorage } from './paste-storage.io.ts'
import type { Records } from './record.io.ts'

type Journeying = Entry & { readonly move: NonNullable<Entry['move']> }

/**
 * Brings both files of a paste to where its next record says. What is planned is on the disk before the first file moves,
 * and no old name goes before both new ones are there: a crash leaves enough to finish, or to take everything back.
 */
export class Changes {
  readonly #storage: PasteStorage
  readonly #records: Records
  readonly #pasteIndex: PasteIndex
  readonly #log: Log
  /** Changes that could be neither finished nor taken back, because the disk failed. */
  readonly #pending = new Map<string, Journeying>()

  constructor(storage: PasteStorage, records: Records, pasteIndex: PasteIndex, log: Log) {
    this.#storage = storage
    this.#records = records
    this.#pasteIndex = pasteIndex
    this.#log = log
  }

  /** Only what is known of a paste changes; its files stay. */
  async note(record: PasteRecord): Promise<void> {
    await this.#records.write({ record }, false)
    this.#pasteIndex.put(record)
  }

  /** The files of a new paste come out of its staging place. */
  async arrive(record: PasteRecord): Promise<void> {
    const { disk, layout, links } = this.#storage
    const stage = stageOf(layout, record.id)
    const entry = { record, move: { before: null, links } }
    const flushed = await Promise.allSettled([
      disk.flushFile(stage.optimized),
      disk.flushFile(stage.original),
      disk.flushFolder(stage.folder),
      disk.flushFolder(layout.staging),
      this.#records.write(entry, true),
    ])
    const failure = flushed.find((each) => each.status === 'rejected')
    if (failure !== undefined) {
      await this.#takeBack(entry, true)
      throw failure.reason
    }
    await this.#travel(entry)
    await disk
      .deleteTree(stage.folder)
      .catch((err: unknown) => this.#log.warn({ err }, 'failed to remove staging folder'))
  }

  /** The files move to where the new record says. */
  async move(before: PasteRecord, record: PasteRecord): Promise<void> {
    const entry = { record, move: { before, links: this.#storage.links } }
    await this.#records.write(entry, false)
    await this.#travel(entry)
  }

  /** Finishes what was interrupted or takes it back, and says what the paste is then; `undefined` when it is none. */
  async repair({ record, move }: Entry): Promise<PasteRecord | undefined> {
    if (move === undefined) return record
    const storage = { ...this.#storage, links: move.links }
    const journey = journeyOf(storage.layout, { record, move })
    const verdict = judge(await inspect(storage, journey))
    if (verdict === 'forward') {
      await finishBoth(storage, journey)
      await this.#close({ record, move })
      return record
    }
    if (verdict === 'back') await unclaimBoth(storage, journey)
    const before = verdict === 'back' ? (move.before ?? undefined) : undefined
    await (before === undefined ? this.#records.delete(record.id) : this.#records.close({ record: before }))
    return before
  }

  /** Before anything else happens to a paste: what the disk did not allow last time. */
  async settlePending(id: string): Promise<void> {
    const entry = this.#pending.get(id)
    if (entry === undefined) return
    const record = await this.repair(entry)
    this.#pending.delete(id)
    if (record === undefined) this.#pasteIndex.delete(id)
    else this.#pasteIndex.put(record)
  }

  async #travel(entry: Journeying): Promise<void> {
    const journey = journeyOf(this.#storage.layout, entry)
    try {
      await claimBoth(this.#storage, journey)
      if (!this.#storage.links) await settleBoth(this.#storage, journey)
    } catch (error) {
      if (!(await this.#takeBack(entry, error instanceof NameTaken && !error.isHalfClaimed))) throw error
    }
    // From here on the files are under their new names, and the old ones are not spoken of.
    this.#pasteIndex.put(entry.record)
    try {
      if (this.#storage.links) await settleBoth(this.#storage, journey)
      await this.#close(entry)
    } catch (err) {
      this.#pending.set(entry.record.id, entry)
      this.#log.warn({ err }, 'failed to finish a paste change, retrying later')
    }
  }

  /** `false`, unless the files had come too far to be taken back and are where they should be. */
  async #takeBack(entry: Journeying, hasNoClaims: boolean): Promise<boolean> {
    try {
      if (!hasNoClaims) return (await this.repair(entry)) === entry.record
      await this.#restore(entry)
    } catch (err) {
      this.#pending.set(entry.record.id, entry)
      this.#log.warn({ err }, 'failed to roll back a paste change, retrying later')
    }
    return false
  }

  async #restore({ record, move }: Journeying): Promise<void> {
    await (move.before === null
      ? this.#records.delete(record.id)
      : this.#records.close({ record: move.before }))
  }

  /** The old names are gone for good before nobody knows of them anymore. */
  async #close({ record, move }: Journeying): Promise<void> {
    const { disk, layout, links } = this.#storage
    const journey = journeyOf(layout, { record, move })
    const folders = new Set([
      ...(links ? [] : [dirname(journey.to.optimized)]),
      ...(move.before?.removedAt === null ? [layout.folder] : []),
    ])
    for (const folder of folders) await disk.flushFolder(folder)
    // Of a new paste its staging place tells that it has yet to be finished.
    if (move.before !== null) await this.#records.close({ record })
  }
}

function journeyOf(layout: Layout, { record, move }: Journeying): Journey {
  const { before } = move
  return {
    from: before === null ? stageOf(layout, record.id) : placeOf(layout, before),
    to: placeOf(layout, record),
  }
}

export function placeOf(layout: Layout, record: PasteRecord): FilePair {
  return record.removedAt === null ? filesOf(layout, record) : trashOf(layout, record.id)
}
