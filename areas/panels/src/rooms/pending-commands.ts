import type { CommandOutcome, CommandResult } from '../control.ts'
import { CONTROL_CAPS } from './timings.ts'

/** How a command ended at one browser. `wasSent`: it may have been carried out. */
export type Ending = CommandOutcome | { readonly outcome: 'gone'; readonly wasSent: boolean }

/** The part of a connection that commands need. */
export interface CommandLine {
  offer(text: string): boolean
  drop(name: 'dead_peer'): void
}

export interface PendingCommandsOptions {
  readonly line: CommandLine
  readonly takenWithinMs: number
  /** Whether the connection is read from slowly: then its silence proves nothing. */
  readonly isCongested: () => boolean
}

const TOO_MANY: Ending = {
  outcome: 'failed',
  code: 'not_ready',
  message: `Limit reached: the browser already has ${CONTROL_CAPS.waitingCommands} commands waiting. Try again shortly.`,
}

class Entry {
  readonly id: string
  readonly ending: Promise<Ending>
  readonly settle: (ending: Ending) => void
  /** Empty once it was sent. */
  text: string
  isTaken = false
  deadline: NodeJS.Timeout | undefined = undefined
  takenBy: NodeJS.Timeout | undefined = undefined

  constructor(id: string, text: string) {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.id = id
    this.text = text
    this.ending = promise
    this.settle = resolve
  }
}

/** The commands of one browser. */
export class PendingCommands {
  readonly #options: PendingCommandsOptions
  readonly #open = new Map<string, Entry>()
  readonly #waiting = new Map<string, Entry>()
  /** Over before they were taken. Whether they are taken at all still tells a living browser from a dead one. */
  readonly #unacknowledged = new Map<string, Entry>()
  #isClosed = false

  constructor(options: PendingCommandsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size + this.#waiting.size
  }

  /** `text` is the finished message. */
  run(id: string, text: string, deadlineMs: number): Promise<Ending> {
    const known = this.#open.get(id) ?? this.#waiting.get(id)
    if (known !== undefined) return known.ending
    if (this.#isClosed) return Promise.resolve({ outcome: 'gone', wasSent: false })
    if (this.#waiting.size >= CONTROL_CAPS.waitingCommands) return Promise.resolve(TOO_MANY)
    const entry = new Entry(id, text)
    entry.deadline = setTimeout(() => this.#end(entry, { outcome: 'timeout' }), deadlineMs)
    this.#waiting.set(id, entry)
    this.#next()
    return entry.ending
  }

  taken(id: string): void {
    for (const entry of [this.#open.get(id), this.#unacknowledged.get(id)]) {
      if (entry === undefined) continue
      entry.isTaken = true
      clearTimeout(entry.takenBy)
    }
    this.#unacknowledged.delete(id)
  }

  done(id: string, result: CommandResult): void {
    this.#answer(id, { outcome: 'done', result })
  }

  failed(id: string, failure: Omit<Extract<CommandOutcome, { outcome: 'failed' }>, 'outcome'>): void {
    this.#answer(id, { outcome: 'failed', ...failure })
  }

  /** Something was done, but what is not known: "not ready" would have it done again. */
  invalidResult(id: string): void {
    this.#answer(id, { outcome: 'lost' })
  }

  /** The connection is gone. */
  close(): void {
    this.#isClosed = true
    for (const entry of [...this.#open.values(), ...this.#waiting.values()])
      this.#end(entry, { outcome: 'gone', wasSent: entry.text === '' })
    for (const { takenBy } of this.#unacknowledged.values()) clearTimeout(takenBy)
    this.#unacknowledged.clear()
  }

  #answer(id: string, ending: Ending): void {
    this.taken(id)
    const entry = this.#open.get(id)
    if (entry !== undefined) this.#end(entry, ending)
  }

  #next(): void {
    for (const entry of this.#waiting.values()) {
      if (this.#open.size >= CONTROL_CAPS.openCommands) return
      this.#waiting.delete(entry.id)
      this.#open.set(entry.id, entry)
      this.#send(entry)
    }
  }

  #send(entry: Entry): void {
    const { text } = entry
    if (!this.#options.line.offer(text)) return this.#end(entry, { outcome: 'gone', wasSent: false })
    entry.text = ''
    this.#judgeLater(entry)
  }

  /** After a pause of this whole process the browser's answer lies unread: it is read before anybody is judged. */
  #judgeLater(entry: Entry): void {
    entry.takenBy = setTimeout(() => setImmediate(() => this.#judge(entry)), this.#options.takenWithinMs)
  }

  #judge(entry: Entry): void {
    if (entry.isTaken || this.#isClosed) return
    if (this.#options.isCongested()) this.#judgeLater(entry)
    else this.#options.line.drop('dead_peer')
  }

  #end(entry: Entry, ending: Ending): void {
    clearTimeout(entry.deadline)
    // A command whose time is over says nothing of its browser; that it is never taken does.
    if (ending.outcome === 'timeout' && entry.takenBy !== undefined && !entry.isTaken)
      this.#unacknowledged.set(entry.id, entry)
    else clearTimeout(entry.takenBy)
    this.#open.delete(entry.id)
    this.#waiting.delete(entry.id)
    entry.settle(ending)
    if (!this.#isClosed) this.#next()
  }
}
