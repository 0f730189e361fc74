import type { Stage } from '../ports.ts'
import { isId, stageOf } from './layout.ts'
import type { PasteStorage } from './paste-storage.io.ts'

/** The staging places that are in use. */
export class Stages {
  readonly #storage: PasteStorage
  readonly #ids = new Set<string>()

  constructor(storage: PasteStorage) {
    this.#storage = storage
  }

  async open(id: string, discard: () => Promise<void>): Promise<Stage> {
    const { disk, layout } = this.#storage
    if (!isId(id)) throw new TypeError('this is no id of a paste')
    const { folder, ...files } = stageOf(layout, id)
    if (!(await disk.makeFolder(folder, 0o700))) throw new TypeError('this id is in use')
    this.#ids.add(id)
    return { id, ...files, discard }
  }

  /** The sizes of what lies in it, whatever anybody says of them. Throws when there is nothing to take in. */
  async measure(id: string): Promise<{ optimized: number; original: number }> {
    const { disk, layout } = this.#storage
    if (!this.#ids.has(id)) throw new TypeError('this staging place is not in use')
    const stage = stageOf(layout, id)
    const [optimized, original] = await Promise.all([disk.look(stage.optimized), disk.look(stage.original)])
    if (![optimized, original].every((file) => file?.isFile() === true && file.size > 0n))
      throw new TypeError('both pictures must be in the staging place')
    return { optimized: Number(optimized?.size), original: Number(original?.size) }
  }

  forget(id: string): void {
    this.#ids.delete(id)
  }

  async discard(id: string): Promise<void> {
    if (!this.#ids.has(id)) return
    await this.#storage.disk.deleteTree(stageOf(this.#storage.layout, id).folder)
    this.#ids.delete(id)
  }

  async discardAll(): Promise<void> {
    for (const id of this.#ids) await this.discard(id)
  }
}
