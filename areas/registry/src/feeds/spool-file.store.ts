import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { BuiltContent } from './feed.ts'

const FLUSH_CHARACTERS = 128 * 1024

/** Text on its way into a file, hashed and counted: a feed of any size needs little memory. */
export class SpoolFile implements AsyncDisposable {
  readonly path: string
  readonly #file: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #waiting = ''
  #size = 0

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  static async create(path: string): Promise<SpoolFile> {
    return new SpoolFile(path, await open(path, 'wx', 0o600))
  }

  /** Without what waits to be written. */
  get size(): number {
    return this.#size
  }

  async write(text: string): Promise<void> {
    this.#waiting += text
    if (this.#waiting.length >= FLUSH_CHARACTERS) await this.#flush()
  }

  async finish(): Promise<BuiltContent> {
    await this.#flush()
    return { sha256: this.#hash.digest('hex'), size: this.#size }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#hash.update(bytes)
    this.#size += bytes.byteLength
    await this.#file.writeFile(bytes)
  }
}
