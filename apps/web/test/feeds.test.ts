import { expect, test } from 'vitest'
import { brandsToAdd } from '../src/packages/feeds.ts'

test('[W-233] the neutral brand is offered where there is no other', () => {
  expect(brandsToAdd(['kicad', 'tool'])).toEqual(['kicad'])
  expect(brandsToAdd(['kicad', 'horizon', 'kicad', 'tool'])).toEqual(['kicad', 'horizon'])
  expect(brandsToAdd(['tool'])).toEqual(['tool'])
})
