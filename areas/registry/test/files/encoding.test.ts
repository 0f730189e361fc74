import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import { array, assert, constantFrom, double, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedCodings, compressor, compressSmall, ENCODINGS } from '../../src/files/encoding.ts'

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

/** Hashes, which nothing makes smaller, and sentences, in which some words are more frequent than others. */
function listOf(packages: number): Buffer {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const sentence = (seed: string) =>
    Array.from(digest(seed), (byte, index) => `word${(byte * byte) >> (index % 8)}`).join(' ')
  const entries = Array.from({ length: packages }, (_, index) => ({
    identifier: `com.example.package${index}`,
    description: `${sentence(`a${index}`)} ${sentence(`b${index}`)}`,
    download_sha256: digest(`${index}`).toString('hex'),
  }))
  return Buffer.from(JSON.stringify({ packages: entries }))
}

test.each([100, 1_000])(
  '[A-491] the written forms of a list of %i packages are nearly the smallest',
  async (count) => {
    const list = listOf(count)
    const best = {
      br: brotliCompressSync(list, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      zstd: zstdCompressSync(list, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }),
      gzip: gzipSync(list, { level: 9 }),
    }
    const decode = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
    for (const encoding of ENCODINGS) {
      const written = await buffer(Readable.from([list]).pipe(compressor(encoding, list.byteLength)))
      expect(decode[encoding](written).equals(list)).toBe(true)
      expect(written.byteLength / best[encoding].byteLength).toBeLessThan(1.1)
    }
  },
)
