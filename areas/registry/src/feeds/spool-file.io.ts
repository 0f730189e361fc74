import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { BuiltContent } from './feed.ts'

/** Something that is finished and can be read as often as need be, while its folder is there. */
export interface Spooled {
  readonly content: BuiltContent
  readonly read: () => AsyncIterable<Uint8Array>
}

const FLUSH_CHARACTERS = 128 * 1024
/** The lists of most owners: a file that is written to be read four times costs more than what is in it. */
const KEPT_BYTES = 1024 * 1024

/** Text on its way to the object store, hashed and counted. What is long goes into a file: any size needs little memory. */
export class SpoolFile implements AsyncDisposable {
  readonly #path: string
  readonly #hash: Hash = createHash('sha256')
  #file: FileHandle | undefined
  #kept: Buffer[] = []
  #waiting = ''
  #size = 0

  constructor(path: string) {
    this.#path = path
  }

  /** Without what waits to be written. */
  get size(): number {
    return this.#size
  }

  async write(text: string): Promise<void> {
    this.#waiting += text
    if (this.#waiting.length >= FLUSH_CHARACTERS) await this.#flush()
  }

  async finish(): Promise<Spooled> {
    await this.#flush()
    const content = { sha256: this.#hash.digest('hex'), size: this.#size }
    const [path, kept] = [this.#path, this.#kept]
    return { content, read: this.#file === undefined ? () => chunksOf(kept) : () => createReadStream(path) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#hash.update(bytes)
    this.#size += bytes.byteLength
    this.#kept.push(bytes)
    if (this.#size <= KEPT_BYTES) return
    this.#file ??= await open(this.#path, 'wx', 0o600)
    for (const each of this.#kept) await this.#file.writeFile(each)
    this.#kept = []
  }
}

export async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
