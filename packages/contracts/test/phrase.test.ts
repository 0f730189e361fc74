import { createHash } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { PHRASE_WORDS, phraseOf } from '../src/identity/phrase.ts'

test.each([
  ['f47ac10b-58cc-4372-a567-0e02b2c3d479', 'orbit eclipse bamboo'],
  ['F47AC10B-58CC-4372-A567-0E02B2C3D479', 'blossom window mirror'],
  ['11111111-2222-4333-8444-555555555555', 'studio frost feather'],
  ['', 'tripod quilt slipper'],
])('[CT-10] the phrase of “%s” is “%s”', async (state, phrase) => {
  expect(await phraseOf(state)).toBe(phrase)
})

test('[CT-10] the first three bytes of the digest choose the words', async () => {
  const digest = createHash('sha256').update('f47ac10b-58cc-4372-a567-0e02b2c3d479').digest()
  const words = [...digest.subarray(0, 3)].map((byte) => PHRASE_WORDS[byte])
  expect(await phraseOf('f47ac10b-58cc-4372-a567-0e02b2c3d479')).toBe(words.join(' '))
})

deepTest('[CT-10] every word comes up in every place, none much more often than the others', async () => {
  const phrases = await Promise.all(Array.from({ length: 20_000 }, (_, index) => phraseOf(`state ${index}`)))
  for (const place of [0, 1, 2]) {
    const counts = Map.groupBy(phrases, (phrase) => phrase.split(' ')[place])
    expect(counts.size).toBe(256)
    expect(Math.max(...Array.from(counts.values(), (same) => same.length))).toBeLessThan(160)
  }
  // Of 16.7 million phrases, some 12 are met twice by chance; places that depend on each other would make it many more.
  expect(new Set(phrases).size).toBeGreaterThan(19_950)
})

test('[CT-11] the words are 256 different ones of 4 to 7 plain letters', () => {
  expect(new Set(PHRASE_WORDS).size).toBe(256)
  expect(PHRASE_WORDS).toHaveLength(256)
  for (const word of PHRASE_WORDS) expect(word).toMatch(/^[a-z]{4,7}$/)
})

test('[CT-11] none is a plural', () => {
  for (const word of PHRASE_WORDS) expect(word).not.toMatch(/[^aisu]s$/)
})

test('[CT-11] any two differ in at least three letters and within their first four', () => {
  const close = PHRASE_WORDS.flatMap((word, index) =>
    PHRASE_WORDS.slice(index + 1)
      .filter((other) => editDistance(word, other) < 3 || word.slice(0, 4) === other.slice(0, 4))
      .map((other) => `${word} ${other}`),
  )
  expect(close).toEqual([])
})

test.each([
  ['marble', 'marble', 0],
  ['pillow', 'willow', 1],
  ['tablet', 'table', 1],
  ['kitten', 'sitting', 3],
])('[CT-11] from %s to %s the measure counts %i letters', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance)
})

test('[CT-12] the list is the one that was published', () => {
  const digest = createHash('sha256').update(PHRASE_WORDS.join(' ')).digest('hex')
  expect(digest).toBe('5cb6e8116aae6ca2f544cb996e35b230eee045cc09ccc347808a74f967667748')
})

/** How many letters have to be added, dropped or changed to turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (const [column, other] of to.split('').entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
