import type { KeyedMutex } from '@patchbay/primitives/async'
import type { Ground } from './ground.io.ts'
import { trashOf } from './layout.ts'
import { isExpired } from './paste-change.ts'
import type { Records } from './record.io.ts'
import type { Shelf } from './shelf.ts'

export interface HousekeepingParts {
  readonly ground: Ground
  readonly records: Records
  readonly shelf: Shelf
  /** One change at a time for each paste. */
  readonly mutex: KeyedMutex
  readonly now: () => Date
  /** Of listed ones, and of removed ones. */
  readonly mostRecords: number
}

/** Deletes what was in the trash for a day, and forgets the oldest pastes beyond the limit; their files stay. */
export async function keepHouse(parts: HousekeepingParts): Promise<void> {
  const { shelf, mutex, records, now, mostRecords } = parts
  const isOver = (id: string) => {
    const record = shelf.get(id)
    return record !== undefined && record.removedAt !== null && isExpired(record, now())
  }
  for (const [index, { id }] of shelf.removed().entries())
    if (index >= mostRecords || isOver(id)) await mutex.run(id, () => purge(parts, id))
  for (const { id } of shelf.listed().slice(mostRecords))
    await mutex.run(id, async () => {
      await records.delete(id)
      shelf.delete(id)
    })
}

async function purge({ ground, records, shelf }: HousekeepingParts, id: string): Promise<void> {
  // It may have been brought back while this waited.
  if (shelf.get(id)?.removedAt == null) return
  for (const path of Object.values(trashOf(ground.layout, id))) await ground.disk.delete(path)
  await records.delete(id)
  shelf.delete(id)
}
