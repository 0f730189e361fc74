import { hash } from 'node:crypto'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { OVERLAPS, RATIO_BOMBS, TOO_MUCH, TOTAL_BOMBS } from './bomb-cases.ts'
import { NO_ZIPS, STRAY_BYTES, ZIP64_TRICKS } from './byte-cases.ts'
import { COLLISIONS, DUPLICATES } from './collision-cases.ts'
import type { HostileCase } from './hostile-case.ts'
import { ENCODINGS, SPECIAL_KINDS, TWO_KINDS } from './kind-cases.ts'
import { LIES, TWO_HEADERS } from './lie-cases.ts'
import { ABSOLUTE_PATHS, HOSTILE_NAMES, TRAVERSALS, TWO_SPELLINGS } from './name-cases.ts'
import { makeSurroundings } from './sentinel.ts'

async function expectRefusal({ reason, bytes, limits }: HostileCase): Promise<void> {
  await using surroundings = await makeSurroundings()
  const outcome = await surroundings.attack(bytes(), limits)
  expect(outcome).toEqual({ inspected: reason, extracted: reason, left: undefined, isUntouched: true })
}

test.each(TRAVERSALS)('[A-200] a name that leads out is refused: $title', expectRefusal)
test.each(ABSOLUTE_PATHS)('[A-201] an absolute name is refused: $title', expectRefusal)
test.each(HOSTILE_NAMES)('[A-202] a name that means trouble somewhere is refused: $title', expectRefusal)
test.each(DUPLICATES)('[A-203] a name that is there twice is refused: $title', expectRefusal)
test.each(COLLISIONS)('[A-203] names that collide somewhere are refused: $title', expectRefusal)
test.each(TWO_SPELLINGS)('[A-205] a name with a second spelling is refused: $title', expectRefusal)
test.each(NO_ZIPS)('[A-206] what is no whole zip is refused: $title', expectRefusal)
test.each(STRAY_BYTES)('[A-207] bytes that readers could take differently are refused: $title', expectRefusal)
test.each(OVERLAPS)('[A-208] entries that share bytes are refused: $title', expectRefusal)
test.each(SPECIAL_KINDS)('[A-209] what is neither file nor folder is refused: $title', expectRefusal)
test.each(ENCODINGS)('[A-210] what cannot be decoded is refused: $title', expectRefusal)
test.each(LIES)('[A-211] sizes and checksums that lie are refused: $title', expectRefusal)
test.each(TWO_KINDS)('[A-212] file and folder at once is refused: $title', expectRefusal)
test.each(TWO_HEADERS)('[A-212] headers that do not agree are refused: $title', expectRefusal)
test.each(ZIP64_TRICKS)('[A-213] zip64 fields that contradict are refused: $title', expectRefusal)
test.each(RATIO_BOMBS)('[A-215] a file that inflates too much is refused: $title', expectRefusal)
test.each(TOTAL_BOMBS)('[A-216] files that are too much together are refused: $title', expectRefusal)
test.each(TOO_MUCH)(
  '[A-217] an archive that is too large or has too many entries is refused: $title',
  expectRefusal,
)

deepTest('[A-219] the table has more than 200 archives, no two of them alike', () => {
  const cases = [
    TRAVERSALS,
    ABSOLUTE_PATHS,
    HOSTILE_NAMES,
    DUPLICATES,
    COLLISIONS,
    TWO_SPELLINGS,
    NO_ZIPS,
    STRAY_BYTES,
    OVERLAPS,
    SPECIAL_KINDS,
    ENCODINGS,
    LIES,
    TWO_KINDS,
    TWO_HEADERS,
    ZIP64_TRICKS,
    RATIO_BOMBS,
    TOTAL_BOMBS,
    TOO_MUCH,
  ].flat()
  const distinct = new Set(
    cases.map(({ bytes, limits = {} }) => hash('sha256', bytes()) + JSON.stringify(limits)),
  )
  expect(cases.length).toBeGreaterThan(200)
  expect(distinct.size).toBe(cases.length)
})
