import { expect, test } from 'vitest'
import { challengeOf, createVerifier } from '../../src/login/login.ts'
import { systemSurroundings } from '../../src/surroundings.ts'

test('[CL-1] the challenge is S256 as RFC 7636 has it in its appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('[CL-1] a verifier is 256 random bits in base64url', () => {
  const verifiers = Array.from({ length: 100 }, () => createVerifier(systemSurroundings))
  expect(new Set(verifiers).size).toBe(100)
  for (const verifier of verifiers) expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
