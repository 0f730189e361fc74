import { connect, isIP, type OnReadOpts, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'

const SLOT_BYTES = 256 * 1024
/** Read ahead of whoever takes them. */
const READY_SLOTS = 4
/** More than Node's parser takes, which is the one to refuse. */
const HEAD_BYTES = 64 * 1024
const INTERIM_HEADS = 16
const HEAD_END = '\r\n\r\n'

/**
 * A connection that reads into memory that it uses again. Node's usual one makes a new buffer for every 64 KiB, and
 * the garbage collector then takes longer than the hash. The parser of `node:http` is given one head at a time; who
 * reads the body is decided once it has understood the head.
 */
export class OwnSocket extends Duplex {
  readonly #socket: Socket
  /** A slot is here, or in the socket's hands, or filled and ready, or with whoever reads; never in two of them. */
  readonly #free: Uint8Array[] = []
  readonly #ready: Uint8Array[] = []
  #phase: 'head' | 'deciding' | 'parsed body' | 'plain body' = 'head'
  /** What came behind the last head. */
  #rest: Uint8Array = new Uint8Array()
  #interimHeads = 0
  #isEnded = false
  #wake: () => void = () => undefined

  constructor(url: URL) {
    super()
    this.#socket = connectTo(url, {
      buffer: () => this.#free.pop() ?? Buffer.allocUnsafeSlow(SLOT_BYTES),
      callback: (length, slot) => this.#arrive(slot.subarray(0, length)),
    })
    this.#socket.on('error', (error) => this.destroy(error))
    this.#socket.on('end', () => this.#end())
    this.#socket.on('close', () => this.#end())
    this.on('close', () => this.#wake())
  }

  /** The last head was none of the answer. */
  readNextHead(): void {
    this.#interimHeads += 1
    if (this.#interimHeads > INTERIM_HEADS) {
      this.destroy(new Error('the server announces an answer again and again'))
      return
    }
    const rest = this.#rest
    this.#rest = new Uint8Array()
    this.#phase = 'head'
    if (this.#takeHead(rest)) this.#readOn()
  }

  /** The parser reads the body, because only it can tell where that ends. */
  parseBody(): void {
    this.#phase = 'parsed body'
    if (this.#rest.length === 0 || this.push(this.#rest)) this.#readOn()
  }

  /** So many bytes as they come. A piece is used again once the next one is asked for. Fails rather than end early. */
  async *readPlain(length: number): AsyncGenerator<Uint8Array> {
    this.#phase = 'plain body'
    try {
      const first = this.#rest.subarray(0, length)
      let left = length - first.length
      if (first.length > 0) yield first
      while (left > 0) {
        const piece = await this.#next()
        const part = piece.subarray(0, left)
        left -= part.length
        yield part
        this.#free.push(new Uint8Array(piece.buffer))
      }
    } finally {
      this.destroy()
    }
  }

  override _read(): void {
    if (this.#phase === 'parsed body') this.#readOn()
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  /** Returns whether to read on. */
  #arrive(bytes: Uint8Array): boolean {
    if (this.#phase === 'plain body') {
      this.#ready.push(bytes)
      this.#wake()
      return this.#ready.length < READY_SLOTS
    }
    const copy = Buffer.from(bytes)
    this.#free.push(new Uint8Array(bytes.buffer))
    if (this.#phase === 'parsed body') return this.push(copy)
    if (this.#phase === 'head') return this.#takeHead(copy)
    // What TLS had deciphered already comes even after reading was stopped.
    this.#rest = Buffer.concat([this.#rest, copy])
    return false
  }

  #takeHead(bytes: Uint8Array): boolean {
    const known = Buffer.concat([this.#rest, bytes])
    const end = known.indexOf(HEAD_END)
    if (end === -1) {
      this.#rest = known
      if (known.length > HEAD_BYTES) this.destroy(new Error('the head of the answer is too long'))
      return !this.destroyed
    }
    this.#phase = 'deciding'
    this.#rest = known.subarray(end + HEAD_END.length)
    this.push(known.subarray(0, end + HEAD_END.length))
    return false
  }

  #readOn(): void {
    if (this.#isEnded) this.push(null)
    else this.#socket.resume()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#wake()
    if (this.#phase === 'head' || this.#phase === 'parsed body') this.push(null)
  }

  async #next(): Promise<Uint8Array> {
    for (;;) {
      // Whoever aborts wants no more, not even what is here.
      const piece = this.destroyed ? undefined : this.#ready.shift()
      if (piece !== undefined) return piece
      if (this.#isEnded || this.destroyed) throw this.errored ?? new Error('the connection ended early')
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      this.#socket.resume()
      await promise
    }
  }
}

function connectTo(url: URL, onread: OnReadOpts): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const options = { host, port: Number(url.port === '' ? (isSecure ? 443 : 80) : url.port), onread }
  if (!isSecure) return connect(options)
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connectSecurely({ ...options, ...name, ALPNProtocols: ['http/1.1'] })
}
