import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { constantFrom, array, assert, double, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedCodings, compressSmall, ENCODINGS } from '../../src/files/encoding.ts'

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip identity'],
  ['gzip, deflate, br, zstd', 'br zstd gzip identity'],
  ['br;q=0.1, gzip', 'gzip br identity'],
  ['gzip;q=0.5, br;q=0.5', 'br gzip identity'],
  ['*', 'br zstd gzip identity'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'zstd gzip identity'],
  ['identity', 'identity'],
  ['identity;q=1, br;q=0.5', 'identity'],
  ['identity;q=0.5, br;q=0.8, gzip;q=0.1', 'br identity'],
  ['identity;q=0, gzip', 'gzip identity'],
  ['x-gzip', 'gzip identity'],
  ['GZIP ; Q=0.8', 'gzip identity'],
  ['gzip;q=2, br;q=abc', 'identity'],
])('[A-421] "%s" means %s', (header, codings) => {
  expect(acceptedCodings(header).join(' ')).toBe(codings)
})

test('[A-421] no header makes it fail, and there is always something to send', () => {
  const member = constantFrom('br', 'gzip', 'zstd', 'identity', '*', 'deflate', ';', ',', 'q=')
  const texts = [string(), array(member).map((parts) => parts.join(';')), double().map((q) => `br;q=${q}`)]
  for (const text of texts) assert(property(text, (header) => acceptedCodings(header).includes('identity')))
  expect(acceptedCodings(';;;q=,,').join()).toBe('identity')
})

test('[A-421] each coding decodes to the same bytes', () => {
  const body = Buffer.from('{"packages":[]}'.repeat(100))
  const decode = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
  for (const encoding of ENCODINGS) {
    const compressed = compressSmall(encoding, body)
    expect(compressed.byteLength).toBeLessThan(body.byteLength)
    expect(decode[encoding](compressed)).toEqual(body)
  }
})
