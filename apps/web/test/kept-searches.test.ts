import type { PackageSummary } from '@patchbay/contracts/registry'
import { expect, test } from 'vitest'
import { keepFound, recallFound } from '../src/packages/catalog/use-package-search.ts'

function keep(place: string, packages: number): void {
  const items = Array.from({ length: packages }, () => ({}) as PackageSummary)
  keepFound({ place, search: '{}', items, next_cursor: null })
}

const isKept = (place: string) => recallFound(place) !== undefined

test('[W-235] what was found longest ago goes: beyond ten searches, and beyond 2,000 packages', () => {
  for (let search = 0; search < 12; search += 1) keep(`some ${search}`, 24)
  const places = Array.from({ length: 12 }, (_, search) => `some ${search}`)
  expect(places.filter((place) => !isKept(place))).toEqual(['some 0', 'some 1'])
  keep('some 2', 48)
  keep('many', 1_900)
  expect(places.filter(isKept)).toEqual(['some 2', 'some 10', 'some 11'])
  keep('too many', 2_400)
  expect(['many', 'some 2', 'some 10', 'some 11'].filter(isKept)).toEqual([])
  expect(recallFound('too many')?.items).toHaveLength(2_400)
})
