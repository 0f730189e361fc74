import { StreamError } from './stream.ts'

const LARGEST_HEAD_BYTES = 8 * 1024
const LARGEST_PART_BYTES = 8 * 1024 * 1024
const LINE_END = [13, 10]
const HEAD_END = [13, 10, 13, 10]

/** The boundary between the pictures, as the answer's type names it: with or without quotes and dashes. */
export function boundaryOf(contentType: string): string | undefined {
  const named = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  return (named?.[1] ?? named?.[2])?.replace(/^-+/, '')
}

/** Cuts a `multipart/x-mixed-replace` stream into its pictures, whatever pieces it comes in. */
export class PartReader {
  readonly #boundary: readonly number[]
  #bytes = new Uint8Array(0)
  #searched = 0

  constructor(boundary: string) {
    this.#boundary = [...new TextEncoder().encode(`--${boundary}`)]
  }

  /** The pictures that are whole with this piece. */
  push(piece: Uint8Array): Uint8Array<ArrayBuffer>[] {
    const joined = new Uint8Array(this.#bytes.length + piece.length)
    joined.set(this.#bytes)
    joined.set(piece, this.#bytes.length)
    this.#bytes = joined
    const parts: Uint8Array<ArrayBuffer>[] = []
    for (let part = this.#next(); part !== undefined; part = this.#next())
      if (part.length > 0) parts.push(part)
    return parts
  }

  #next(): Uint8Array<ArrayBuffer> | undefined {
    const headEnd = indexOf(this.#bytes, HEAD_END, 0)
    if (headEnd === -1) {
      if (this.#bytes.length > LARGEST_HEAD_BYTES) throw new StreamError('bad-answer')
      return undefined
    }
    const start = headEnd + HEAD_END.length
    const head = new TextDecoder('latin1').decode(this.#bytes.subarray(0, headEnd))
    const length = /^content-length:\s*(\d{1,9})\s*$/im.exec(head)?.[1]
    if (length !== undefined) {
      if (Number(length) > LARGEST_PART_BYTES) throw new StreamError('too-large')
      const end = start + Number(length)
      return this.#bytes.length < end ? undefined : this.#take(start, end)
    }
    // Where no length is told, the next boundary ends the picture.
    const from = Math.max(start, this.#searched - this.#boundary.length)
    const boundary = indexOf(this.#bytes, this.#boundary, from)
    this.#searched = this.#bytes.length
    if (boundary === -1) {
      if (this.#bytes.length - start > LARGEST_PART_BYTES) throw new StreamError('too-large')
      return undefined
    }
    const hasLineEnd = LINE_END.every((byte, at) => this.#bytes[boundary - 2 + at] === byte)
    return this.#take(start, hasLineEnd ? boundary - 2 : boundary)
  }

  #take(start: number, end: number): Uint8Array<ArrayBuffer> {
    const part = this.#bytes.slice(start, end)
    this.#bytes = this.#bytes.slice(end)
    this.#searched = 0
    return part
  }
}

function indexOf(bytes: Uint8Array, wanted: readonly number[], from: number): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length > bytes.length) return -1
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at
  }
  return -1
}
