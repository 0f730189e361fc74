import { assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeDialect } from '../src/index.ts'
import { createPackageValidator, findPackageFaults } from '../src/validate/index.ts'
import { packages } from './arbitraries.ts'
import { NESTING, URL_DIFFERENCES } from './differences.ts'
import { examplePackage } from './examples.ts'
import { mutate, mutations } from './mutations.ts'
import { hasRealData, unlessSkipped, upstreamCheck } from './real-data.ts'

/** `PATCHBAY_FULL=1` runs the full counts. */
const isFull = process.env['PATCHBAY_FULL'] === '1'
const SLOW = { timeout: isFull ? 600_000 : 60_000 }

const ours = {
  strict: createPackageValidator({ brand: 'kicad' }),
  compat: createPackageValidator({ brand: 'kicad', urls: 'compat' }),
}
const branded = packages.map((pkg) => writeDialect(pkg, 'kicad'))

/** Every download_url of a value that may be anything. */
function urlsIn(value: unknown): string[] {
  const { versions } = (value ?? {}) as { readonly versions?: unknown }
  if (!Array.isArray(versions)) return []
  return versions
    .map((version: { readonly download_url?: unknown } | null) => version?.download_url)
    .filter((url) => typeof url === 'string')
}

describe.skipIf(!hasRealData)(`existing tools${unlessSkipped}`, () => {
  test(`[A-170] ${isFull ? '10,000' : '1,000'} generated packages are valid here and there`, SLOW, () => {
    const theirs = upstreamCheck()
    const valid = createPackageValidator()
    assert(
      property(packages, (pkg) => valid(pkg) && theirs(writeDialect(pkg, 'kicad'))),
      { numRuns: isFull ? 10_000 : 1000 },
    )
    expect(theirs.errors ?? []).toEqual([])
  })

  test(`[A-171] ${isFull ? '100,000' : '5,000'} mutated packages are judged alike`, SLOW, () => {
    const theirs = upstreamCheck()
    const verdicts = { taken: 0, refused: 0, explained: 0 }
    assert(
      property(branded, mutations, (pkg, changes) => {
        const value = mutate(pkg, changes)
        const verdict = theirs(value)
        if (ours.compat(value) !== verdict) return false
        verdicts[verdict ? 'taken' : 'refused'] += 1
        if (ours.strict(value) === verdict) return true
        verdicts.explained += 1
        return urlsIn(value).some((url) => URL_DIFFERENCES.some(({ explains }) => explains(url)))
      }),
      { numRuns: isFull ? 100_000 : 5000 },
    )
    // A run that took or refused everything, or met no difference, would have shown nothing.
    expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(500)
    expect(verdicts.explained).toBeGreaterThan(0)
  })

  test.each(URL_DIFFERENCES)('[A-172] they differ on $name: $reason', ({ example, explains, takenBy }) => {
    const value = writeDialect(
      examplePackage({
        versions: [{ version: '1', status: 'stable', tool_version: '8', download_url: example }],
      }),
      'kicad',
    )
    expect(explains(example)).toBe(true)
    expect(ours.strict(value)).toBe(takenBy === 'us')
    expect(upstreamCheck()(value)).toBe(takenBy === 'them')
    expect(ours.compat(value)).toBe(takenBy === 'them')
  })

  test(`[A-172] they differ on ${NESTING.name}: ${NESTING.reason}`, () => {
    const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown
    const value = writeDialect(examplePackage({ deep }), 'kicad')
    expect(upstreamCheck()(value)).toBe(true)
    expect([ours.strict(value), ours.compat(value)]).toEqual([false, false])
  })
})

test('[A-164] the fast check and the findings agree', SLOW, () => {
  assert(
    property(branded, mutations, (pkg, changes) => {
      const value = mutate(pkg, changes)
      const errors = findPackageFaults(value, { brand: 'kicad' }).filter(
        ({ severity }) => severity === 'error',
      )
      return ours.strict(value) === (errors.length === 0)
    }),
    { numRuns: isFull ? 20_000 : 1000 },
  )
  expect(findPackageFaults(examplePackage())).toEqual([])
})
