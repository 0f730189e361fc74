import { expect, test } from 'vitest'
import { atLatest, commonTest, deepTest, depth } from '../../src/depth.ts'

const one = () => expect(1).toBe(1)

test(`always, ${depth({ common: 3, deep: 1_000 })} times`, () => expect(1).toBe(1))
test(`within ${atLatest(500)} ms`, () => expect(1).toBe(1))
commonTest('common alone', one)
deepTest('deep alone', one)
deepTest.each([1, 2])('deep for each of %s', one)
deepTest.skipIf(false)('deep where it can be had', one)
