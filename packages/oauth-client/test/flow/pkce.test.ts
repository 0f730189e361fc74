import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { challengeOf, createSecret } from '../../src/flow/pkce.ts'

test('[B-402] the challenge is that of RFC 7636, appendix B', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('[B-402] the verifier of appendix B comes from the bytes of appendix B', () => {
  const bytes = Uint8Array.from([
    116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214,
    191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
  ])
  expect(createSecret({ randomBytes: () => bytes })).toBe('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
})

test('[B-402] a verifier has 256 bits and the characters that a verifier may have', () => {
  const secrets = Array.from({ length: 1_000 }, () => createSecret({ randomBytes }))
  expect(new Set(secrets).size).toBe(1_000)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
})
