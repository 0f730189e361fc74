import { createHash } from 'node:crypto'

export const BIN_PREFIX = 'bin'
const MAX_BITS = 14

/** The bin that lists a path: the first bits of the SHA-256 of the path. */
export function binNameOf(path: string, bits: number): string {
  const number = createHash('sha256').update(path).digest().readUInt32BE() >>> (32 - checkBits(bits))
  return spellBin(number, bits)
}

export function binNames(bits: number): string[] {
  return Array.from({ length: 2 ** checkBits(bits) }, (_, number) => spellBin(number, bits))
}

export function checkBits(bits: number): number {
  if (Number.isSafeInteger(bits) && bits >= 1 && bits <= MAX_BITS) return bits
  throw new RangeError(`${bits} bits: choose 1 to ${MAX_BITS}`)
}

function spellBin(number: number, bits: number): string {
  const { length } = (2 ** bits - 1).toString(16)
  return `${BIN_PREFIX}-${number.toString(16).padStart(length, '0')}`
}
