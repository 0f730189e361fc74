import { expect, test } from 'vitest'
import { entityTag, hasContent } from '../../src/files/entity-tag.ts'

const SHA = 'a'.repeat(64)

test.each([
  [undefined, false],
  ['', false],
  ['*', true],
  [`"${SHA}"`, true],
  [`W/"${SHA}"`, true],
  [`"${SHA}-br"`, true],
  [`W/"${SHA}-gzip"`, true],
  [`"other", "${SHA}-zstd"`, true],
  [`"other" , W/"more"`, false],
  [SHA, false],
  [`"${SHA}x"`, false],
  [`"x${SHA}"`, false],
])('[A-420] If-None-Match %s has the content: %s', (header, has) => {
  expect(hasContent(header, SHA)).toBe(has)
})

test('[A-420] each coding has a tag of its own', () => {
  const tags = (['identity', 'br', 'zstd', 'gzip'] as const).map((coding) => entityTag(SHA, coding))
  expect(new Set(tags).size).toBe(4)
  expect(tags.every((tag) => hasContent(tag, SHA))).toBe(true)
})
