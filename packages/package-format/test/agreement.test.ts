import { depth, isDeep } from '@patchbay/testkit/depth'
import { assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeDialect } from '../src/index.ts'
import { createPackageValidator, findPackageFaults } from '../src/validate/index.ts'
import { packages } from './arbitraries.ts'
import { NESTING, URL_DIFFERENCES } from './differences.ts'
import { examplePackage } from './examples.ts'
import { isTakenByExistingTools } from './existing-tools.ts'
import { mutate, mutations } from './mutations.ts'
import { hasRealData, unlessSkipped, upstreamCheck } from './real-data.ts'

const SLOW = { timeout: isDeep ? 600_000 : 60_000 }
const GENERATED = depth({ common: 300, deep: 10_000 })
const MUTATED = depth({ common: 1_000, deep: 100_000 })

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

/** One suite for the judgement of existing tools as it is written here, and for the schema that they publish. */
function agreementContract(open: () => (value: unknown) => boolean): void {
  test(`[A-170] ${GENERATED} generated packages are valid here and there`, SLOW, () => {
    const theirs = open()
    const valid = createPackageValidator()
    assert(
      property(packages, (pkg) => valid(pkg) && theirs(writeDialect(pkg, 'kicad'))),
      { numRuns: GENERATED },
    )
  })

  test(`[A-171] ${MUTATED} mutated packages are judged alike`, SLOW, () => {
    const theirs = open()
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
      { numRuns: MUTATED },
    )
    // A run that took or refused everything, or of many met no difference, would have shown nothing.
    expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(MUTATED / 10)
    expect(verdicts.explained > 0 || !isDeep).toBe(true)
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
    expect(open()(value)).toBe(takenBy === 'them')
    expect(ours.compat(value)).toBe(takenBy === 'them')
  })

  test(`[A-172] they differ on ${NESTING.name}: ${NESTING.reason}`, () => {
    const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown
    const value = writeDialect(examplePackage({ deep }), 'kicad')
    expect(open()(value)).toBe(true)
    expect([ours.strict(value), ours.compat(value)]).toEqual([false, false])
  })
}

describe('existing tools, as their judgement is written here', () => {
  agreementContract(() => isTakenByExistingTools)
})

describe.skipIf(!hasRealData)(`existing tools, by the schema that they publish${unlessSkipped}`, () => {
  agreementContract(upstreamCheck)

  test('[A-171] what is written here is what they publish', SLOW, () => {
    const theirs = upstreamCheck()
    assert(
      property(branded, mutations, (pkg, changes) => {
        const value = mutate(pkg, changes)
        return isTakenByExistingTools(value) === theirs(value)
      }),
      { numRuns: MUTATED },
    )
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
    { numRuns: depth({ common: 500, deep: 20_000 }) },
  )
  expect(findPackageFaults(examplePackage())).toEqual([])
})
