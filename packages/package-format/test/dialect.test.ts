import { depth } from '@patchbay/testkit/depth'
import { array, assert, constantFrom, dictionary, jsonValue, oneof, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import {
  chooseForInstall,
  isBrand,
  type Package,
  readDialect,
  readForTool,
  writeDialect,
  yankedVersionsOf,
} from '../src/index.ts'
import { packageLists, packages } from './arbitraries.ts'
import { examplePackage, exampleVersion } from './examples.ts'

const branded = {
  ...examplePackage(),
  versions: [{ version: '1', kicad_version: '8.0', status: 'stable', kicad_version_max: '9.0' }],
}
const neutral = {
  ...examplePackage(),
  versions: [{ version: '1', tool_version: '8.0', status: 'stable', tool_version_max: '9.0' }],
}

test('[A-130] a package changes the names of its two tool versions, and nothing else', () => {
  expect(JSON.stringify(readDialect(branded, 'kicad'))).toBe(JSON.stringify(neutral))
  expect(JSON.stringify(writeDialect(neutral, 'kicad'))).toBe(JSON.stringify(branded))
})

test('[A-130] so does each package of a list', () => {
  expect(readDialect({ packages: [branded, branded], more: 1 }, 'kicad')).toEqual({
    packages: [neutral, neutral],
    more: 1,
  })
})

test('[A-130] the neutral brand changes nothing', () => {
  expect(readDialect(branded, 'tool')).toBe(branded)
})

/** Any JSON, and JSON that looks like packages with both spellings, `__proto__` and worse. */
const versionKeys = constantFrom(
  'kicad_version',
  'kicad_version_max',
  'tool_version',
  'tool_version_max',
  'version',
  '__proto__',
  '7',
)
const documents = oneof(
  jsonValue(),
  packages,
  packageLists,
  record({ versions: array(oneof(dictionary(versionKeys, jsonValue()), jsonValue())) }),
  record({ versions: array(dictionary(versionKeys, constantFrom<unknown>('8.0', '9.0', 'x', 7))) }),
  record({ packages: array(record({ versions: array(dictionary(versionKeys, jsonValue())) })) }),
)

test('[A-131] writing after reading gives the same text, and so does reading after writing', () => {
  assert(
    property(documents, (document) => {
      const text = JSON.stringify(document)
      const value: unknown = JSON.parse(text)
      expect(JSON.stringify(writeDialect(readDialect(value, 'kicad'), 'kicad'))).toBe(text)
      expect(JSON.stringify(readDialect(writeDialect(value, 'kicad'), 'kicad'))).toBe(text)
      expect(JSON.stringify(value)).toBe(text)
    }),
    { numRuns: depth({ common: 100, deep: 1_000 }) },
  )
})

test('[A-132] R4: a version with both spellings keeps the values of each', () => {
  const both = {
    versions: [{ kicad_version: '8.0', tool_version: '9.0', kicad_version_max: '8.99' }, exampleVersion()],
  }
  const read = readDialect(both, 'kicad') as typeof both
  expect(read.versions[0]).toEqual(both.versions[0])
  expect(writeDialect(both, 'kicad')).toEqual(read)
  expect(writeDialect({ versions: [both.versions[0]] }, 'other')).toEqual({
    versions: [{ kicad_version: '8.0', other_version: '9.0', kicad_version_max: '8.99' }],
  })
})

test('[A-506] R4: who chooses from a brand’s list is told what the brand’s spelling says', () => {
  const list = (version: object) => ({ packages: [{ versions: [version] }], more: 1 })
  const both = { version: '1', kicad_version: '8.0', tool_version: '9.0', tool_version_max: '9.5' }
  expect(readForTool(list(both), 'kicad')).toEqual(list({ version: '1', tool_version: '8.0' }))
  expect(readForTool(list({ ...both, kicad_version_max: '8.5' }), 'kicad')).toEqual(
    list({ version: '1', tool_version: '8.0', tool_version_max: '8.5' }),
  )
  expect(readForTool(list(both), 'tool')).toEqual(list(both))
  expect(readForTool(branded, 'kicad')).toEqual(neutral)
  expect(readForTool('text', 'kicad')).toBe('text')
})

test('[A-132] the spelling that the dialect does not know passes through and comes back', () => {
  const both = { versions: [{ kicad_version: '8.0', tool_version: 'of another tool' }] }
  const read = readDialect(both, 'kicad')
  expect(read).toEqual({ versions: [{ tool_version: '8.0', kicad_version: 'of another tool' }] })
  expect(writeDialect(read, 'kicad')).toEqual(both)
})

test('[A-132] the unknown spelling alone is not taken for the known one', () => {
  const foreign = { versions: [exampleVersion()] }
  expect(readDialect(foreign, 'kicad')).not.toEqual(foreign)
})

test('[A-133] brands are lower-case words', () => {
  expect(['tool', 'kicad', 'k', 'k2', `k${'x'.repeat(30)}`].every(isBrand)).toBe(true)
  expect(['', 'KiCad', '2k', 'ki-cad', 'ki cad', `k${'x'.repeat(31)}`, 'kicad\n'].some(isBrand)).toBe(false)
  expect(() => readDialect({}, 'KiCad')).toThrow(TypeError)
  expect(() => writeDialect({}, '__proto__')).toThrow(/is not a brand/)
})

test('[A-519] R1: yanked versions change their dialect with the others, no choice sees them, and nonsense is left out', () => {
  const yanked = { version: '2.0', status: 'stable', tool_version: '8.0', yank_reason: 'Deletes boards' }
  const nonsense = [null, 'x', { ...yanked, version: '../x' }, { ...yanked, download_sha256: 1 }]
  const pkg = { type: 'plugin', versions: [], yanked_versions: [yanked, ...nonsense] } as unknown as Package
  const written = writeDialect(pkg, 'kicad')
  expect(written).toHaveProperty('yanked_versions.0.kicad_version', '8.0')
  expect(yankedVersionsOf(readDialect(written, 'kicad') as Package)).toEqual([yanked])
  expect(chooseForInstall(pkg, { toolVersion: '8.0', platform: 'linux' })).toBeUndefined()
})
