import type { Log } from '@patchbay/kernel/log'
import { nameOfPicture } from '../naming/picture-name.io.ts'
import type { Naming, PasteFolder, PictureToName, StoredPaste } from '../ports.ts'
import type { NamingOutcome } from '../viewer-metrics.ts'

export interface NamingDeskDeps {
  readonly folder: PasteFolder
  readonly naming: Naming
  readonly log: Log
  /** Called with a paste whose naming has ended, and who found a name. */
  readonly ended: (paste: StoredPaste, by: NamingOutcome) => void
}

/** A model takes several at once; a namer that has to read queues by itself. */
const AT_ONCE = 8
const MOST_WAITING = 500
/** Far more than a namer takes that keeps to its own deadlines. */
const GIVE_UP_MS = 5 * 60_000

/** Looks for names in the background. Whatever a person does meanwhile stays. */
export class NamingQueue {
  readonly #deps: NamingDeskDeps
  readonly #waiting = new Set<string>()
  readonly #running = new Map<
    string,
    { readonly controller: AbortController; readonly done: Promise<void> }
  >()
  #isStopped = false

  constructor(deps: NamingDeskDeps) {
    this.#deps = deps
  }

  /** Names a paste that waits for it. One too many is named by its pixels alone. */
  add(id: string): void {
    // A search that was ended may still be busy with the picture: whoever comes again waits for that.
    if (this.#isStopped || this.#running.get(id)?.controller.signal.aborted === false) return
    if (this.#waiting.size >= MOST_WAITING) {
      void this.#turnAway(id)
      return
    }
    this.#waiting.add(id)
    this.#startNext()
  }

  /** A person has decided, or the paste is gone. */
  cancel(id: string): void {
    this.#waiting.delete(id)
    this.#running.get(id)?.controller.abort()
  }

  /** What has no name yet is looked at again after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting.clear()
    const running = [...this.#running.values()]
    for (const { controller } of running) controller.abort()
    await Promise.all(running.map(({ done }) => done))
  }

  #startNext(): void {
    if (this.#running.size >= AT_ONCE) return
    const id = this.#waiting.values().find((each) => !this.#running.has(each))
    if (id === undefined) return
    this.#waiting.delete(id)
    const controller = new AbortController()
    const done = this.#name(id, controller.signal).finally(() => {
      this.#running.delete(id)
      this.#startNext()
    })
    this.#running.set(id, { controller, done })
  }

  async #name(id: string, decided: AbortSignal): Promise<void> {
    const { folder, naming, log, ended } = this.#deps
    try {
      const picture = this.#pictureOf(id)
      if (picture === undefined) return
      const signal = AbortSignal.any([decided, AbortSignal.timeout(GIVE_UP_MS)])
      const outcome = await naming.suggest(picture, signal)
      if (decided.aborted) return
      // The folder takes a name from here only while nobody else has given one.
      if ('name' in outcome) ended(await folder.rename(id, outcome.name, outcome.by), outcome.by)
      else await this.#nameByPixels(id, picture, outcome.note)
    } catch (error) {
      if (decided.aborted) return
      log.warn({ err: error }, 'failed to rename paste')
      await this.#end(id, 'The name could not be given.')
    }
  }

  /** Nobody could say what is to be seen: what is certain of the picture still tells it from others. */
  async #nameByPixels(id: string, { optimized, original }: PictureToName, note: string): Promise<void> {
    const { folder, ended } = this.#deps
    const name = await nameOfPicture(optimized, original).catch(() => undefined)
    if (name === undefined) ended(await folder.endNaming(id, note), 'none')
    else ended(await folder.rename(id, name, 'picture', note), 'picture')
  }

  #pictureOf(id: string): PictureToName | undefined {
    const { folder } = this.#deps
    const paste = folder.find(id)
    if (paste?.isNaming !== true) return undefined
    const optimized = folder.pathOf(paste.optimized.file)
    const original = folder.pathOf(paste.original.file)
    if (optimized === undefined || original === undefined) return undefined
    return { optimized, original, title: paste.title }
  }

  async #turnAway(id: string): Promise<void> {
    const note = 'Too many pictures were waiting for a name.'
    const picture = this.#pictureOf(id)
    if (picture === undefined) return
    await this.#nameByPixels(id, picture, note).catch(() => this.#end(id, note))
  }

  async #end(id: string, note: string): Promise<void> {
    const { folder, log, ended } = this.#deps
    try {
      if (folder.find(id)?.isNaming === true) ended(await folder.endNaming(id, note), 'none')
    } catch (error) {
      log.warn({ err: error }, 'naming delayed for a paste')
    }
  }
}
