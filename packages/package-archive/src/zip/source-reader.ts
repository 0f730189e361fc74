import yauzl from 'yauzl'
import type { ByteSource } from './byte-source.ts'

const WINDOW_BYTES = 64 * 1024

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

const EMPTY: Window = { start: 0, bytes: Buffer.alloc(0) }

/**
 * The library's own reader hands positions from the archive to the file system, closes the file when it sees fit, and
 * asks the disk four times for each entry. This one has the checks of the source, leaves the file to its owner, and
 * reads ahead: once in the directory and once in the headers before it, between which the library goes back and forth.
 */
export class SourceReader extends yauzl.RandomAccessReader {
  readonly #source: ByteSource
  readonly #directoryStart: number
  #ofDirectory = EMPTY
  #ofHeaders = EMPTY

  constructor(source: ByteSource, directoryStart: number) {
    super()
    this.#source = source
    this.#directoryStart = directoryStart
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#copy(target, offset, length, position).then(
      () => callback(null),
      (error: unknown) => callback(error as Error),
    )
  }

  async #copy(target: Buffer, offset: number, length: number, position: number): Promise<void> {
    const isInDirectory = position >= this.#directoryStart
    const known = isInDirectory ? this.#ofDirectory : this.#ofHeaders
    const holdsAll = position >= known.start && position + length <= known.start + known.bytes.length
    const window = holdsAll ? known : await this.#readWindow(position, length)
    if (isInDirectory) this.#ofDirectory = window
    else this.#ofHeaders = window
    window.bytes.copy(target, offset, position - window.start, position - window.start + length)
  }

  async #readWindow(start: number, length: number): Promise<Window> {
    const ahead = Math.min(WINDOW_BYTES, this.#source.size - start)
    return { start, bytes: await this.#source.read(start, Math.max(length, ahead)) }
  }
}
