import { hash } from 'node:crypto'

/** 96 bits, kept short because every pending registration carries it in Redis. Guessing is online and once per try. */
const SEAL_LENGTH = 16

/** What the directory keeps of a resume challenge: enough to recognize the secret, not enough to know it. */
export function sealOfChallenge(challenge: string): string {
  return challenge.slice(0, SEAL_LENGTH)
}

export function sealOfVerifier(verifier: string): string {
  return sealOfChallenge(hash('sha256', verifier, 'base64url'))
}
