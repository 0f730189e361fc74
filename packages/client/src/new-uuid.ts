import type { Surroundings } from './surroundings.ts'

/** Of 122 random bits (RFC 9562, version 4). */
export function newUuid({ randomBytes: drawBytes }: Pick<Surroundings, 'randomBytes'>): string {
  const bytes = drawBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [8, 12, 16, 20, 32].map((end, at, ends) => hex.slice(at === 0 ? 0 : ends[at - 1], end)).join('-')
}
