import type { Surroundings } from '../surroundings.ts'

const BYTES = 32

/** What only the process that began the login can show: whoever sees the link cannot fetch its session. */
export function createVerifier({ randomBytes: drawBytes }: Pick<Surroundings, 'randomBytes'>): string {
  return base64url(drawBytes(BYTES))
}

/** SHA-256 of the verifier's text (S256 of RFC 7636, section 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(digest))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
