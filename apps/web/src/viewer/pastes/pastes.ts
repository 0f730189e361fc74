import type { Paste } from '@patchbay/contracts/viewer'
import { createValueStore, type ValueStore } from '../../parts/value-store.ts'
import { fetchPastes, removePaste, renamePaste, undoPaste } from '../viewer.api.ts'
import {
  findPaste,
  NO_PASTES,
  type PasteList,
  withDeletedHere,
  withNewest,
  withOlder,
  withoutPaste,
  withPaste,
} from './paste-list.ts'

const PAGE = 20
const LARGEST_PAGE = 100

type Change = (list: PasteList) => PasteList

/** What lies in the project, as far as this page knows: read once per connection, then kept by what the viewer says. */
export class Pastes {
  readonly list: ValueStore<PasteList> = createValueStore(NO_PASTES)
  /** Why the list could not be read. */
  readonly fault: ValueStore<unknown> = createValueStore<unknown>(undefined)
  /** What happened while the list was on its way: the answer may be older. */
  #meanwhile: Change[] | undefined

  /** Reads the newest ones. */
  async read(): Promise<void> {
    if (this.#meanwhile !== undefined) return
    const meanwhile: Change[] = []
    this.#meanwhile = meanwhile
    const count = Math.min(LARGEST_PAGE, Math.max(PAGE, this.list.get().entries.length))
    try {
      const page = await fetchPastes(count)
      const base = withNewest(this.list.get(), page)
      this.list.set(meanwhile.reduce((list, change) => change(list), base))
      this.fault.set(undefined)
    } catch (error) {
      this.fault.set(error)
    } finally {
      this.#meanwhile = undefined
    }
  }

  async readOlder(): Promise<void> {
    const { olderFrom } = this.list.get()
    if (typeof olderFrom !== 'string') return
    const page = await fetchPastes(PAGE, olderFrom)
    this.#make((list) => (list.olderFrom === olderFrom ? withOlder(list, page) : list))
  }

  find(id: string): Paste | undefined {
    return findPaste(this.list.get(), id)?.paste
  }

  put(paste: Paste): void {
    this.#make((list) => withPaste(list, paste))
  }

  /** Somebody deleted it. */
  forget(id: string): void {
    this.#make((list) => withoutPaste(list, id))
  }

  async rename(id: string, name: string): Promise<void> {
    this.put(await renamePaste(id, name))
  }

  /** To the name before, or back from being deleted. */
  async undo(id: string): Promise<void> {
    this.put(await undoPaste(id))
  }

  async remove(id: string): Promise<void> {
    // Marked first: the viewer tells all pages before it answers this one.
    const before = this.list.get()
    this.#make((list) => withDeletedHere(list, id))
    await removePaste(id).catch((error: unknown) => {
      const entry = findPaste(before, id)
      if (entry !== undefined) this.put(entry.paste)
      throw error
    })
  }

  #make(change: Change): void {
    this.#meanwhile?.push(change)
    this.list.set(change(this.list.get()))
  }
}
