import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { LARGEST_SPARSE } from '../../src/feeds/listed-package.ts'
import { createSparseTexts } from '../../src/feeds/sparse-texts.ts'
import { acceptedCodings, ENCODINGS } from '../../src/files/encoding.ts'
import { REVALIDATED, representText, SMALL_BYTES } from '../../src/files/representation.ts'

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

test('[A-431] large text is compressed on another thread, once for everybody', async () => {
  const text = 'abc '.repeat(SMALL_BYTES)
  const large = representText(text, 'application/json', REVALIDATED)
  for (const encoding of ENCODINGS) {
    const first = large.load(encoding)
    expect(first).toBeInstanceOf(Promise)
    expect(large.load(encoding)).toBe(first)
    const body = (await first) as Buffer
    expect(DECODE[encoding](body).toString()).toBe(text)
    expect(large.load(encoding)).toBe(body)
  }
  const small = representText('abc', 'application/json', REVALIDATED)
  expect(small.load('br')).toBeInstanceOf(Buffer)
})

test('[A-432] a large sparse text is asked for once a second or after a change, a small one every time', async () => {
  const texts = createSparseTexts()
  let asked = 0
  const ask = (text: string) => async () => {
    asked += 1
    return text
  }
  for (let round = 0; round < 3; round += 1) await texts.find('tool small', ask('x'))
  expect(asked).toBe(3)
  const large = ask('x'.repeat(300_000))
  const found = await texts.find('tool large', large)
  expect(await texts.find('tool large', large)).toBe(found)
  expect(asked).toBe(4)
  texts.forget()
  await Promise.all([texts.find('tool large', large), texts.find('tool large', large)])
  expect(asked).toBe(5)
})

test('[A-432] the largest text that is served is kept, and a larger one is refused', async () => {
  const texts = createSparseTexts()
  const largest = 'x'.repeat(LARGEST_SPARSE)
  const found = await texts.find('tool a', async () => largest)
  texts.forget()
  expect(await texts.find('tool a', async () => largest)).toBe(found)
  expect(await texts.find('tool b', async () => `${largest}x`)).toBe('too large')
  expect(await texts.find('tool c', async () => undefined)).toBeUndefined()
})

test('[A-429] invented values of a header do not keep real ones from being remembered', () => {
  for (let index = 0; index < 1_000; index += 1) acceptedCodings(`x${index}`)
  expect(acceptedCodings('gzip, br')).toBe(acceptedCodings('gzip, br'))
})
