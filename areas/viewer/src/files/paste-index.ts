import type { StoredPaste } from '../ports.ts'
import { baseOf } from './layout.ts'
import { type PasteRecord, present } from './paste-record.ts'

/** What is known of the pastes, in memory. */
export class PasteIndex {
  readonly #records = new Map<string, PasteRecord>()
  readonly #idByFile = new Map<string, string>()
  /** Asked for far more often than it changes. */
  #listed: readonly StoredPaste[] | undefined

  get(id: string): PasteRecord | undefined {
    return this.#records.get(id)
  }

  put(record: PasteRecord): void {
    this.delete(record.id)
    this.#listed = undefined
    this.#records.set(record.id, record)
    for (const file of filesIn(record)) this.#idByFile.set(file, record.id)
  }

  delete(id: string): void {
    const record = this.#records.get(id)
    if (record === undefined) return
    this.#listed = undefined
    this.#records.delete(id)
    // Its name may be that of another paste by now.
    for (const file of filesIn(record)) if (this.#idByFile.get(file) === id) this.#idByFile.delete(file)
  }

  ownerOf(file: string): PasteRecord | undefined {
    const id = this.#idByFile.get(file)
    return id === undefined ? undefined : this.#records.get(id)
  }

  /** Newest first. */
  listed(): readonly StoredPaste[] {
    this.#listed ??= this.#sorted(({ removedAt }) => removedAt === null).map(present)
    return this.#listed
  }

  removed(): PasteRecord[] {
    return this.#sorted(({ removedAt }) => removedAt !== null)
  }

  #sorted(isWanted: (record: PasteRecord) => boolean): PasteRecord[] {
    return [...this.#records.values()]
      .filter(isWanted)
      .toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function filesIn({ name, optimized, removedAt }: PasteRecord): string[] {
  if (removedAt !== null) return []
  const base = baseOf(name, optimized)
  return [`${base}.png`, `${base}-original.png`]
}
