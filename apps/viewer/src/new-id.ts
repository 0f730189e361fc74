import { createHash } from 'node:crypto'

/** A UUID of random bits that come as text: 122 of them are kept. */
export function newId(nonce: string): string {
  const hex = createHash('sha256').update(nonce).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0b0011) | 0b1000).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
