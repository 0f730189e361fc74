import { expect, test } from 'vitest'
import { comesFromIssuer } from '../../src/flow/issuer.ts'

const issuer = 'https://id.example.test'

test('[B-418] an issuer that names itself must be the one that was asked, to the letter', () => {
  expect(comesFromIssuer({ issuer }, { iss: issuer })).toBe(true)
  expect(comesFromIssuer({ issuer }, { iss: `${issuer}/` })).toBe(false)
  expect(comesFromIssuer({ issuer }, { iss: 'https://evil.example.test' })).toBe(false)
  expect(comesFromIssuer({ issuer }, { iss: [issuer, issuer] })).toBe(false)
})

test('[B-418] one that names none passes, unless it is known to always do', () => {
  expect(comesFromIssuer({ issuer }, {})).toBe(true)
  expect(comesFromIssuer({ issuer, requireIss: true }, {})).toBe(false)
  expect(comesFromIssuer({ issuer, requireIss: true }, { iss: issuer })).toBe(true)
})

test('[B-418] without a known issuer there is nothing to compare with', () => {
  expect(comesFromIssuer({}, { iss: 'https://anybody.example.test' })).toBe(true)
})
