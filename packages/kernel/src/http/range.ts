/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const SINGLE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * What a `Range` asks for of so many bytes. `undefined`: the whole, as for several ranges and for what nobody understands,
 * which RFC 9110 allows; they are rare, and a hundred small ones would cost more than the whole.
 */
export function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to, suffix] = SINGLE.exec(header.trim()) ?? []
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), size)
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 }
  }
  if (from === undefined) return undefined
  const first = Number(from)
  const last = to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== undefined && to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}
