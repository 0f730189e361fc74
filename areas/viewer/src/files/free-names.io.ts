import type { Size } from '../ports.ts'
import { unavailable } from './folder-fault.ts'
import { NameTaken } from './move.io.ts'
import { baseOf, numbered } from './paste-name.ts'
import type { PasteStorage } from './paste-storage.io.ts'

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
