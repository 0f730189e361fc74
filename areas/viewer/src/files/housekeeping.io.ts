import type { KeyedMutex } from '@patchbay/primitives/async'
import { trashOf } from './layout.ts'
import type { PasteIndex } from './paste-index.ts'
import { isExpired } from './paste-record.ts'
import type { PasteStorage } from './paste-storage.io.ts'
import type { Records } from './record.io.ts'

export interface HousekeepingParts {
  readonly storage: PasteStorage
  readonly records: Records
  readonly pasteIndex: PasteIndex
  /** One change at a time for each paste. */
  readonly mutex: KeyedMutex
  readonly now: () => Date
  /** Of listed ones, and of removed ones. */
  readonly mostRecords: number
}

/** Deletes what was in the trash for a day, and forgets the oldest pastes beyond the limit; their files stay. */
export async function keepHouse(parts: HousekeepingParts): Promise<void> {
  const { pasteIndex, mutex, records, now, mostRecords } = parts
  const isOver = (id: string) => {
    const record = pasteIndex.get(id)
    return record !== undefined && record.removedAt !== null && isExpired(record, now())
  }
  for (const [index, { id }] of pasteIndex.removed().entries())
    if (index >= mostRecords || isOver(id)) await mutex.run(id, () => purge(parts, id))
  for (const { id } of pasteIndex.listed().slice(mostRecords))
    await mutex.run(id, async () => {
      await records.delete(id)
      pasteIndex.delete(id)
    })
}

async function purge({ storage, records, pasteIndex }: HousekeepingParts, id: string): Promise<void> {
  // It may have been brought back while this waited.
  if (pasteIndex.get(id)?.removedAt == null) return
  for (const path of Object.values(trashOf(storage.layout, id))) await storage.disk.delete(path)
  await records.delete(id)
  pasteIndex.delete(id)
}
