import { basename, join } from 'node:path'
import type { Log } from '@patchbay/kernel/log'
import { adoptPair, type FoundPair } from './adoption.ts'
import { type Changes, placeOf } from './changes.io.ts'
import { baseOf, readFileName, stageOf, trashOf } from './layout.ts'
import type { Entry, PasteRecord } from './paste-record.ts'
import type { PasteStorage } from './paste-storage.io.ts'
import { plainFilesIn } from './presence.io.ts'
import type { DamagedRecord, Records } from './record.io.ts'

export interface RecoveryParts {
  readonly storage: PasteStorage
  readonly records: Records
  readonly changes: Changes
  readonly log: Log
}

/** Puts in order what the viewer before left, however it ended, and returns the pastes whose files are all there. */
export async function recover(parts: RecoveryParts): Promise<PasteRecord[]> {
  const { storage, records, log } = parts
  const { entries, damaged } = await records.readAll()
  const repaired: PasteRecord[] = []
  for (const entry of entries) {
    const record = await repair(parts, entry)
    if (record !== undefined) repaired.push(record)
  }
  const kept = await keepWhole(parts, repaired)
  for (const each of damaged) {
    const record = await adopt(parts, each, kept)
    log.warn({ id: each.id, isListed: record !== undefined }, 'failed to read paste record')
    if (record !== undefined) kept.push(record)
  }
  await sweep(storage, kept)
  return kept
}

async function repair({ storage, changes }: RecoveryParts, entry: Entry): Promise<PasteRecord | undefined> {
  const { disk, layout } = storage
  // It arrived long ago: its record is only written anew when something changes.
  const hasArrived =
    entry.move?.before === null && (await disk.look(stageOf(layout, entry.record.id).folder)) === undefined
  return hasArrived ? entry.record : await changes.repair(entry)
}

/** A paste of which a person took a file away is theirs now. */
async function keepWhole(
  { storage, records }: RecoveryParts,
  repaired: readonly PasteRecord[],
): Promise<PasteRecord[]> {
  const { layout } = storage
  const [listed, removed] = [plainFilesIn(layout.folder), plainFilesIn(layout.trash)]
  const kept: PasteRecord[] = []
  for (const record of repaired) {
    const files = record.removedAt === null ? listed : removed
    const { optimized, original } = placeOf(layout, record)
    if (files.has(basename(optimized)) && files.has(basename(original))) kept.push(record)
    else await records.delete(record.id)
  }
  return kept
}

async function adopt(
  { storage, records }: RecoveryParts,
  damaged: DamagedRecord,
  known: readonly PasteRecord[],
): Promise<PasteRecord | undefined> {
  const { disk, layout } = storage
  const isArriving = (await disk.look(stageOf(layout, damaged.id).folder)) !== undefined
  const record = isArriving ? undefined : adoptPair(damaged, await findPairs(storage, known))
  // One that was never finished says nothing to anybody.
  if (!isArriving) await records.setAside(damaged)
  if (record === undefined) await records.delete(damaged.id)
  else await records.write({ record }, false)
  return record
}

/** Pairs that no record knows. */
async function findPairs(
  { disk, layout }: PasteStorage,
  known: readonly PasteRecord[],
): Promise<FoundPair[]> {
  const files = plainFilesIn(layout.folder)
  const owned = new Set(
    known
      .filter(({ removedAt }) => removedAt === null)
      .map(({ name, optimized }) => `${baseOf(name, optimized)}.png`),
  )
  const pairs: FoundPair[] = []
  for (const file of files) {
    const told = readFileName(file)
    const originalFile = file.replace(/\.png$/, '-original.png')
    if (told === undefined || owned.has(file) || !files.has(originalFile)) continue
    const optimized = await disk.look(join(layout.folder, file))
    const original = await disk.look(join(layout.folder, originalFile))
    if (optimized === undefined || original === undefined) continue
    const bytes = { optimized: Number(optimized.size), original: Number(original.size) }
    if (bytes.optimized > 0 && bytes.original > 0) pairs.push({ ...told, bytes, madeAt: original.mtime })
  }
  return pairs
}

/** Staging places of uploads that nobody sends anymore, and files in the trash that nobody can bring back. */
async function sweep({ disk, layout }: PasteStorage, kept: readonly PasteRecord[]): Promise<void> {
  for (const name of await disk.list(layout.staging)) await disk.deleteTree(join(layout.staging, name))
  const wanted = new Set(
    kept
      .filter(({ removedAt }) => removedAt !== null)
      .flatMap(({ id }) => Object.values(trashOf(layout, id)).map((path) => basename(path))),
  )
  for (const name of await disk.list(layout.trash))
    if (!wanted.has(name)) await disk.deleteTree(join(layout.trash, name))
}
