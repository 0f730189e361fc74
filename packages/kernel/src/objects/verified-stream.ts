import { createHash } from 'node:crypto'
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
  const stream = new VerifiedStream(options)
  // The stream remembers its error for whoever reads later; unheard, it would end the process.
  stream.on('error', () => undefined)
  stream.once('close', () => source.destroy())
  finished(source, (error) => {
    if (error) stream.destroy(unavailable(error))
  })
  if (options.signal !== undefined) addAbortSignal(options.signal, stream)
  return source.pipe(stream)
}

class VerifiedStream extends Transform {
  readonly #hash = createHash('sha256')
  readonly #sha256: string
  readonly #stallTimer: NodeJS.Timeout | undefined
  #held: Uint8Array | undefined

  constructor({ sha256, stallMs }: VerifyOptions) {
    // One chunk at each end: many slow readers must not hold megabytes each.
    super({ readableHighWaterMark: 1, writableHighWaterMark: 1 })
    this.#sha256 = sha256
    if (stallMs !== undefined) this.#stallTimer = setTimeout(() => this.#onQuiet(stallMs), stallMs).unref()
  }

  /** Called when the reader wants more: the source's time begins here, not when the last byte came. */
  override _read(size: number): void {
    this.#stallTimer?.refresh()
    super._read(size)
  }

  override _transform(chunk: Uint8Array, _encoding: string, done: TransformCallback): void {
    this.#stallTimer?.refresh()
    this.#hash.update(chunk)
    const before = this.#held
    this.#held = chunk
    done(null, before)
  }

  /** Whoever was promised `size` bytes sees them cut short, not complete and wrong. */
  override _flush(done: TransformCallback): void {
    clearTimeout(this.#stallTimer)
    if (this.#hash.digest('hex') === this.#sha256) done(null, this.#held)
    else done(new ObjectCorrupt(this.#sha256))
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#stallTimer)
    done(error)
  }

  /** A full buffer means that the reader is slow, which is its right. */
  #onQuiet(stallMs: number): void {
    if (this.readableLength > 0) this.#stallTimer?.refresh()
    else this.destroy(unavailable(new Error(`no data for ${stallMs} ms`)))
  }
}
