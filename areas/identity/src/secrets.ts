import { hash, timingSafeEqual } from 'node:crypto'

/** 256 random bits as base64url. Guessing is out of reach, so a plain hash keeps them safe at rest. */
const SECRET = /^[A-Za-z0-9_-]{43}$/

export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Compares without telling by its duration how much of it was right. */
export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}
