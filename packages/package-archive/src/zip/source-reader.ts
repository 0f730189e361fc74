import yauzl from 'yauzl'
import type { ByteSource } from './byte-source.ts'

const WINDOW_BYTES = 64 * 1024

/**
 * The library's own reader hands positions from the archive to the file system, closes the file when it sees fit, and
 * asks the disk four times for each entry. This one has the checks of the source, leaves the file to its owner, and
 * reads ahead: once in the directory and once in the headers before it, between which the library goes back and forth.
 */
export class SourceReader extends yauzl.RandomAccessReader {
  readonly #directoryStart: number
  readonly #ofDirectory: Window
  readonly #ofHeaders: Window

  constructor(source: ByteSource, directoryStart: number) {
    super()
    this.#directoryStart = directoryStart
    this.#ofDirectory = new Window(source)
    this.#ofHeaders = new Window(source)
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const window = position >= this.#directoryStart ? this.#ofDirectory : this.#ofHeaders
    window.read(target.subarray(offset, offset + length), position).then(
      () => callback(null),
      (error: unknown) => callback(error as Error),
    )
  }
}

/**
 * A part of the file that was read ahead, in the same memory from the first reading to the last: a directory made of
 * long comments would otherwise leave a buffer behind for each of them. One reading at a time, as the library does it.
 */
class Window {
  readonly #source: ByteSource
  readonly #memory = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(source: ByteSource) {
    this.#source = source
  }

  async read(target: Buffer, position: number): Promise<void> {
    const end = position + target.length
    // Too large to be read ahead, or not in the file, which the source refuses.
    if (target.length > WINDOW_BYTES || end > this.#source.size)
      return this.#source.readInto(target, position)
    const isHeld = position >= this.#start && end <= this.#start + this.#length
    if (!isHeld) await this.#move(position)
    this.#memory.copy(target, 0, position - this.#start, end - this.#start)
  }

  async #move(start: number): Promise<void> {
    // Nothing, should reading fail half-way.
    this.#length = 0
    const length = Math.min(WINDOW_BYTES, this.#source.size - start)
    await this.#source.readInto(this.#memory.subarray(0, length), start)
    this.#start = start
    this.#length = length
  }
}
