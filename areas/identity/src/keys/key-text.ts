import { crc32 } from 'node:zlib'
import { isSecret, sha256 } from '../secrets.ts'

const MARK = 'pbk_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62⁶ is more than 2³², so every checksum fits. */
const CHECKSUM_LENGTH = 6
const SHAPE = /^(pbk_[A-Za-z0-9_-]{43})_([0-9A-Za-z]{6})$/
const PREFIX_LENGTH = 10

/** `pbk_`, the secret, `_`, and a checksum by which scanners for leaked secrets know a key from noise. */
export function keyText(secret: string): string {
  if (!isSecret(secret)) throw new TypeError('an API key needs 256 bits as base64url')
  return `${MARK}${secret}_${checksum(MARK + secret)}`
}

/** What is looked for in the database; `undefined` for text that no key looks like, so that nobody has to look. */
export function keyHash(key: string): Buffer | undefined {
  const [, body = '', sum] = SHAPE.exec(key) ?? []
  return sum === checksum(body) ? sha256(key) : undefined
}

/** Enough for a person to tell their keys apart, and 220 bits short of a key. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM_LENGTH) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
