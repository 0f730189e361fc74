import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArchiveLimits, ArchiveRefused, extractArchive, inspectArchive } from '../../src/index.ts'
import { IDENTIFIER } from '../sample.ts'
import { makeTemporaryFolder, snapshot, type TemporaryFolder } from '../temporary-folder.ts'

/** Folders and files around the target, of which none may change. */
export interface Surroundings extends AsyncDisposable {
  /** What both readers make of these bytes, and whether anything but the target is as it was. */
  attack(bytes: Buffer, limits?: Partial<ArchiveLimits>): Promise<Outcome>
}

export interface Outcome {
  readonly inspected: string
  readonly extracted: string
  /** Names and contents below the target afterwards; `undefined` when there is none. It is removed then. */
  readonly left: readonly string[] | undefined
  readonly isUntouched: boolean
}

export async function makeSurroundings(): Promise<Surroundings> {
  const folder = await makeTemporaryFolder()
  await folder.write('outside.txt', 'outside')
  await folder.write('stage/outside.txt', 'outside')
  await folder.write('stage/plugins/main.py', 'somebody else')
  await folder.write('stage/metadata.json', '{}')
  await folder.write('archive.zip', '')
  return {
    attack: (bytes, limits = {}) => attack(folder, bytes, limits),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function attack(
  folder: TemporaryFolder,
  bytes: Buffer,
  limits: Partial<ArchiveLimits>,
): Promise<Outcome> {
  const file = folder.at('archive.zip')
  await writeFile(file, bytes)
  const before = await snapshot(folder.path)
  const inspected = await outcomeOf(inspectArchive(file, { limits }))
  const into = folder.at('stage', 'target')
  const extracted = await outcomeOf(extractArchive(file, { into, identifier: IDENTIFIER, limits }))
  const after = await snapshot(folder.path)
  const inTarget = Object.keys(after).filter((name) => name.startsWith('stage/target'))
  const left = inTarget.length === 0 ? undefined : await contentsBelow(into)
  await rm(into, { recursive: true, force: true })
  const { stage: stageBefore, ...othersBefore } = before
  const { stage: stageAfter, ...rest } = after
  for (const name of inTarget) delete rest[name]
  return {
    inspected,
    extracted,
    left,
    // The folder around the target holds one name more, or did for a while, so its own time may move.
    isUntouched:
      JSON.stringify(othersBefore) === JSON.stringify(rest) &&
      (stageBefore === undefined) === (stageAfter === undefined),
  }
}

async function contentsBelow(into: string): Promise<string[]> {
  const entries = await readdir(into, { recursive: true, withFileTypes: true })
  return await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      return entry.isFile() ? `${path} ${await readFile(path, 'base64')}` : path
    }),
  ).then((lines) => lines.toSorted())
}

/** Anything that is not a refusal is an accident, and is told apart from one. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    return error instanceof ArchiveRefused ? error.reason : `accident: ${String(error)}`
  }
}
