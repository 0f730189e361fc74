import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { ArchiveRefused } from '../refusal.ts'

const CHUNK_BYTES = 64 * 1024
const HASH_CHUNK_BYTES = 2 ** 20

/** The bytes of one open file. Its length is taken once: a file that shrinks meanwhile reads as cut off. */
export class ByteSource implements AsyncDisposable {
  readonly size: number
  readonly #file: FileHandle

  private constructor(file: FileHandle, size: number) {
    this.#file = file
    this.size = size
  }

  static async open(path: string, maxBytes: number): Promise<ByteSource> {
    // Opening a named pipe would wait for somebody who writes.
    if (!(await stat(path)).isFile()) throw new ArchiveRefused('not_a_zip', 'This is not a file.')
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      if (size > maxBytes)
        throw new ArchiveRefused(
          'too_large',
          `The archive has ${size} bytes; at most ${maxBytes} are accepted. Split the package or leave files out.`,
        )
      return new ByteSource(file, size)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Exactly these bytes. A range that is not wholly in the file is refused, however large its numbers are. */
  async read(start: number, length: number): Promise<Buffer> {
    this.#checkRange(start, length)
    const bytes = Buffer.allocUnsafe(length)
    await this.readInto(bytes, start)
    return bytes
  }

  /** Fills all of `target`, under the same condition. */
  async readInto(target: Buffer, start: number): Promise<void> {
    const { length } = target
    this.#checkRange(start, length)
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file.read(target, done, length - done, start + done)
      if (bytesRead === 0) throw cutOff()
      done += bytesRead
    }
  }

  #checkRange(start: number, length: number): void {
    if (!(start >= 0 && length >= 0 && start + length <= this.size)) throw cutOff()
  }

  async *chunks(start: number, length: number): AsyncGenerator<Buffer> {
    for (let done = 0; done < length; done += CHUNK_BYTES)
      yield await this.read(start + done, Math.min(CHUNK_BYTES, length - done))
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256')
    for (let done = 0; done < this.size; done += HASH_CHUNK_BYTES)
      hash.update(await this.read(done, Math.min(HASH_CHUNK_BYTES, this.size - done)))
    return hash.digest('hex')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

function cutOff(): ArchiveRefused {
  return new ArchiveRefused(
    'not_a_zip',
    'The archive is cut off, or its directory points outside of it. Pack or download it again.',
  )
}
