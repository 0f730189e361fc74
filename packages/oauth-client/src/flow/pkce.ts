import { createHash } from 'node:crypto'
import type { Surroundings } from '../surroundings.ts'

const SECRET_BYTES = 32

/** 43 characters: enough for a PKCE verifier (RFC 7636, section 4.1) and for a resume secret. */
export function createSecret({ randomBytes: drawBytes }: Pick<Surroundings, 'randomBytes'>): string {
  return Buffer.from(drawBytes(SECRET_BYTES)).toString('base64url')
}

/** S256 of RFC 7636, section 4.2. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url')
}
