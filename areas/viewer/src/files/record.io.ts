import { join } from 'node:path'
import { unlessFailed } from '@patchbay/primitives/files'
import { type Disk, writeDurably } from './disk.io.ts'
import { isId, type Layout } from './layout.ts'
import { type Entry, readEntry } from './paste-record.ts'

/** Nobody reads more of them. */
const MOST_DAMAGED = 20
const ENDING = '.json'

export interface DamagedRecord {
  readonly id: string
  readonly text: string
}

/** One file for each paste. */
export class Records {
  readonly #disk: Disk
  readonly #layout: Layout

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk
    this.#layout = layout
  }

  /** On the disk, with its name, when this returns. */
  async write(entry: Entry, isNew: boolean): Promise<void> {
    await writeDurably(this.#disk, this.#pathOf(entry.record.id), textOf(entry), isNew)
  }

  /** After a power cut the one before may be there again, which says the same: it has yet to be finished. */
  async close(entry: Entry): Promise<void> {
    await this.#disk.replace(this.#pathOf(entry.record.id), textOf(entry))
  }

  async delete(id: string): Promise<void> {
    await this.#disk.deleteTree(this.#pathOf(id))
  }

  /** Also deletes what was left half written. */
  async readAll(): Promise<{ entries: Entry[]; damaged: DamagedRecord[] }> {
    const [entries, damaged]: [Entry[], DamagedRecord[]] = [[], []]
    for (const file of await this.#disk.list(this.#layout.records)) {
      const id = file.slice(0, -ENDING.length)
      if (!file.endsWith(ENDING) || !isId(id)) {
        await this.#disk.deleteTree(join(this.#layout.records, file))
        continue
      }
      const text = (await unlessFailed(this.#disk.read(this.#pathOf(id)), 'ELOOP', 'EISDIR')) ?? ''
      const entry = readEntry(text, id)
      if (entry === undefined) damaged.push({ id, text })
      else entries.push(entry)
    }
    return { entries, damaged }
  }

  /** A copy of it, for whoever wants to know; the record itself is then replaced or deleted. */
  async setAside({ id, text }: DamagedRecord): Promise<void> {
    const { damaged } = this.#layout
    await this.#disk.replace(join(damaged, `${id}${ENDING}`), text)
    const names = await this.#disk.list(damaged)
    if (names.length <= MOST_DAMAGED) return
    const dated = await Promise.all(
      names.map(async (name) => ({ name, at: (await this.#disk.look(join(damaged, name)))?.mtimeNs ?? 0n })),
    )
    const oldest = dated.toSorted((a, b) => Number(a.at - b.at)).slice(0, -MOST_DAMAGED)
    for (const { name } of oldest) await this.#disk.deleteTree(join(damaged, name))
  }

  #pathOf(id: string): string {
    if (!isId(id)) throw new TypeError('this is no id of a paste')
    return join(this.#layout.records, `${id}${ENDING}`)
  }
}

function textOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`
}
