import { createHash, hash } from 'node:crypto'
import { addAbortSignal, finished, type Readable, Transform, type TransformCallback } from 'node:stream'
import { ObjectCorrupt, unavailable } from './errors.ts'

export interface VerifyOptions {
  readonly sha256: string
  readonly signal?: AbortSignal | undefined
  /** How long the source may yield nothing while the reader has room. */
  readonly stallMs?: number
}

/** Passes `source` on and fails instead of ending when its bytes have another hash. */
export function verified(source: Readable, options: VerifyOptions): Readable {
  return guard(source, new VerifiedStream(options), options.signal)
}

/** The same for all of them at once. */
export function requireHash(bytes: Buffer, sha256: string): Buffer {
  if (hash('sha256', bytes) !== sha256) throw new ObjectCorrupt(sha256)
  return bytes
}

/** Passes `source` on and fails instead of ending when there are fewer or more bytes than these. */
export function ofLength(source: Readable, length: number, stallMs?: number): Readable {
  return guard(source, new CountedStream(length, stallMs))
}

function guard(source: Readable, stream: Transform, signal?: AbortSignal): Readable {
  // The stream remembers its error for whoever reads later; unheard, it would end the process.
  stream.on('error', () => undefined)
  stream.once('close', () => source.destroy())
  finished(source, (error) => {
    if (error) stream.destroy(unavailable(error))
  })
  if (signal !== undefined) addAbortSignal(signal, stream)
  return source.pipe(stream)
}

/** Ends when its source is silent for too long. */
class WatchedStream extends Transform {
  readonly #stallTimer: NodeJS.Timeout | undefined

  constructor(stallMs?: number) {
    // One chunk at each end: many slow readers must not hold megabytes each.
    super({ readableHighWaterMark: 1, writableHighWaterMark: 1 })
    if (stallMs !== undefined) this.#stallTimer = setTimeout(() => this.#onQuiet(stallMs), stallMs).unref()
  }

  /** Called when the reader wants more: the source's time begins here, not when the last byte came. */
  override _read(size: number): void {
    this.#stallTimer?.refresh()
    super._read(size)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.rest()
    done(error)
  }

  protected stir(): void {
    this.#stallTimer?.refresh()
  }

  protected rest(): void {
    clearTimeout(this.#stallTimer)
  }

  /** A full buffer means that the reader is slow, which is its right. */
  #onQuiet(stallMs: number): void {
    if (this.readableLength > 0) this.#stallTimer?.refresh()
    else this.destroy(unavailable(new Error(`no data for ${stallMs} ms`)))
  }
}

class VerifiedStream extends WatchedStream {
  readonly #hash = createHash('sha256')
  readonly #sha256: string
  #held: Uint8Array | undefined

  constructor({ sha256, stallMs }: VerifyOptions) {
    super(stallMs)
    this.#sha256 = sha256
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    this.stir()
    this.#hash.update(chunk)
    const before = this.#held
    this.#held = chunk
    done(null, before)
  }

  /** Whoever was promised `size` bytes sees them cut short, not complete and wrong. */
  override _flush(done: TransformCallback): void {
    this.rest()
    if (this.#hash.digest('hex') === this.#sha256) done(null, this.#held)
    else done(new ObjectCorrupt(this.#sha256))
  }
}

class CountedStream extends WatchedStream {
  #left: number

  constructor(length: number, stallMs?: number) {
    super(stallMs)
    this.#left = length
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    this.stir()
    this.#left -= chunk.byteLength
    if (this.#left < 0) done(unavailable(new Error('more bytes than were asked for')))
    else done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    this.rest()
    done(this.#left === 0 ? null : unavailable(new Error('fewer bytes than were asked for')))
  }
}
