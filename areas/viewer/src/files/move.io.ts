import { dirname } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'
import type { Size } from '../ports.ts'
import { unavailable } from './folder-fault.ts'
import { baseOf, type FilePair, numbered } from './layout.ts'
import type { PasteStorage } from './paste-storage.io.ts'

/** Somebody has one of the names. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken'
  /** Whether the other name may still be reserved by us. */
  readonly isHalfClaimed: boolean

  constructor(isHalfClaimed: boolean) {
    super('somebody has this name')
    this.isHalfClaimed = isHalfClaimed
  }
}

/**
 * How far a file is on its way. `unclaimed`: where it was. `claimed`: its new name is made, the old one still there.
 * `settled`: only under the new name. `foreign`: the new name is somebody else's. `lost`: nowhere.
 */
export type Progress = 'unclaimed' | 'claimed' | 'settled' | 'foreign' | 'lost'

/** `forward`: finish. `back`: as if it had never begun. `broken`: somebody took files away; what is left is theirs. */
export type Verdict = 'forward' | 'back' | 'broken'

/** What to do about a change that was interrupted. No file is settled before both are claimed, on disk as well. */
export function judge(files: readonly Progress[]): Verdict {
  if (files.every((file) => file === 'claimed' || file === 'settled')) return 'forward'
  if (!files.includes('settled')) return 'back'
  return files.includes('foreign') || files.includes('lost') ? 'broken' : 'forward'
}

/** Both files of a paste, on their way from one place to another on the same disk. */
export interface Journey {
  readonly from: FilePair
  readonly to: FilePair
}

type Which = keyof FilePair
const BOTH: readonly Which[] = ['optimized', 'original']

/**
 * Gives both files their new names, beside the old ones: a second name for the file itself, or an empty file where the disk
 * has no second names. Both, or none and `NameTaken` if anybody has one of them, since whenever. After any other failure
 * one may be left.
 */
export async function claimBoth(storage: PasteStorage, journey: Journey): Promise<void> {
  const claimed: Which[] = []
  for (const which of BOTH) {
    if (!(await claim(storage, journey, which))) {
      // Only ours: an empty file may be one that somebody else is about to fill.
      for (const each of claimed) await unclaim(storage, journey, each)
      throw new NameTaken(false)
    }
    claimed.push(which)
  }
  // No old name goes before both new ones are on the disk.
  await storage.disk.flushFolder(dirname(journey.to.optimized))
}

/** Takes the old names away. Where names were only reserved it is now that the files move. */
export async function settleBoth(storage: PasteStorage, journey: Journey): Promise<void> {
  // Somebody may have written into an empty file of ours.
  if (!storage.links && (await inspect(storage, journey)).includes('foreign')) throw new NameTaken(true)
  for (const which of BOTH) await settle(storage, journey, which)
}

/** As if the journey had not begun. */
export async function unclaimBoth(storage: PasteStorage, journey: Journey): Promise<void> {
  for (const which of BOTH) await unclaim(storage, journey, which)
}

/** Finishes a journey of which at least one file has arrived, or both new names are there. */
export async function finishBoth(storage: PasteStorage, journey: Journey): Promise<void> {
  for (const which of BOTH)
    if ((await progressOf(storage, journey, which)) === 'unclaimed') await claim(storage, journey, which)
  await storage.disk.flushFolder(dirname(journey.to.optimized))
  await settleBoth(storage, journey)
}

export async function inspect(storage: PasteStorage, journey: Journey): Promise<Progress[]> {
  return await Promise.all(BOTH.map((which) => progressOf(storage, journey, which)))
}

async function progressOf(
  { disk, links }: PasteStorage,
  { from, to }: Journey,
  which: Which,
): Promise<Progress> {
  const [source, target] = await Promise.all([disk.look(from[which]), disk.look(to[which])])
  if (source?.isFile() !== true) return target?.isFile() === true ? 'settled' : 'lost'
  if (target === undefined) return 'unclaimed'
  const isOurs = links
    ? target.dev === source.dev && target.ino === source.ino
    : target.isFile() && target.size === 0n
  return isOurs ? 'claimed' : 'foreign'
}

/** `false` when the name is taken. */
async function claim({ disk, links }: PasteStorage, { from, to }: Journey, which: Which): Promise<boolean> {
  const call = links ? disk.link(from[which], to[which]) : disk.reserve(to[which])
  return (
    (await unlessFailed(
      call.then(() => true),
      'EEXIST',
    )) ?? false
  )
}

async function settle(storage: PasteStorage, journey: Journey, which: Which): Promise<void> {
  const { disk, links } = storage
  // Looked at again: whoever put a file of theirs in one of the places meanwhile must not lose it.
  if ((await progressOf(storage, journey, which)) !== 'claimed') return
  const [from, to] = [journey.from[which], journey.to[which]]
  await (links ? disk.delete(from) : disk.rename(from, to))
}

async function unclaim(storage: PasteStorage, journey: Journey, which: Which): Promise<void> {
  if ((await progressOf(storage, journey, which)) === 'claimed') await storage.disk.delete(journey.to[which])
}

/** Whoever is faster that often does it on purpose. */
const ATTEMPTS = 50

/** Finds names that nobody has. Who is faster is decided by the disk; this one only keeps our own pastes apart. */
export class FreeNames {
  readonly #storage: PasteStorage
  readonly #reserved = new Set<string>()

  constructor(storage: PasteStorage) {
    this.#storage = storage
  }

  /** The work throws `NameTaken` when it finds the name taken, and is then asked again with another one. */
  async use<T>(
    wanted: { readonly name: string; readonly size: Size; readonly own?: string },
    work: (name: string) => Promise<T>,
  ): Promise<T> {
    const { size, own } = wanted
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const isTaken = await this.#look()
      const name = numbered(wanted.name).find((each) => each === own || !isTaken(baseOf(each, size)))
      if (name === undefined)
        throw unavailable(`Too many files are called ${wanted.name}. Choose another name.`)
      const base = baseOf(name, size)
      this.#reserved.add(base)
      try {
        return await work(name)
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error
      } finally {
        this.#reserved.delete(base)
      }
    }
    throw unavailable('Another program takes every name before it can be used.')
  }

  async #look(): Promise<(base: string) => boolean> {
    const { disk, layout } = this.#storage
    // Projects travel between systems, and some of those hold `A.png` and `a.png` to be one file.
    const files = new Set((await disk.list(layout.folder)).map((file) => file.toLowerCase()))
    return (base) => this.#reserved.has(base) || files.has(`${base}.png`) || files.has(`${base}-original.png`)
  }
}
