import { describe, expect, test } from 'vitest'
import { findPackageFaults, findRepositoryFaults, validateText } from '../src/validate/index.ts'
import { examplePackage, exampleRepository, exampleVersion, without } from './examples.ts'

const textOf = (value: unknown) => JSON.stringify(value, undefined, 2)

describe('what it is', () => {
  test.each([
    ['package', examplePackage()],
    ['package', without(examplePackage(), 'identifier')],
    ['package-array', { packages: [] }],
    ['repository', exampleRepository()],
    ['repository', { packages: null }],
  ])('[A-150] a %s is known by its keys', (kind, value) => {
    expect(validateText(textOf(value)).kind).toBe(kind)
  })

  test.each([[[examplePackage()]], [{ name: 'x' }], ['text'], [null], [5]])(
    '[A-150] %o is none of them',
    (value) => {
      const report = validateText(textOf(value))
      expect(report).toMatchObject({ kind: undefined, isValid: false, packages: [] })
      expect(report.findings[0]).toMatchObject({ code: 'unknown_kind', severity: 'error' })
    },
  )

  test('[A-150] a bare array is told how to become a list', () => {
    expect(validateText('[]').findings[0]?.message).toContain('{ "packages": [ … ] }')
  })
})

describe('what a parsed value no longer shows', () => {
  test('[A-154] a repeated key is found in versions, lists, repositories and unknown keys', () => {
    const twice = (text: string) => text.replace('"here"', '"a": {"x": 1, "x": 2}')
    const pkg = twice(
      textOf(examplePackage({ versions: [exampleVersion({ notes: '…' })] })).replace(
        '"notes": "…"',
        '"here"',
      ),
    )
    const [inPackage] = validateText(pkg).packages
    expect(inPackage?.isValid).toBe(false)
    expect(inPackage?.findings).toMatchObject([
      { pointer: '/versions/0/a/x', code: 'duplicate_key', severity: 'error' },
    ])
    expect(validateText('{"packages": [], "packages": []}').findings).toMatchObject([
      { pointer: '/packages', column: 18 },
    ])
    const repository = textOf(exampleRepository()).replace('"name"', '"name": "x", "name"')
    expect(validateText(repository)).toMatchObject({ isValid: false, findings: [{ code: 'duplicate_key' }] })
  })

  test('[A-154] in a list it is a fault of its package alone', () => {
    const [good, bad] = [textOf(examplePackage()), textOf(examplePackage({ identifier: 'b.c' }))]
    const { packages, findings } = validateText(
      `{"packages": [${good}, ${bad.replace('{', '{"name": "x", ')}, ${good}]}`,
    )
    expect(packages.map(({ isValid }) => isValid)).toEqual([true, false, true])
    expect(packages[1]?.findings).toMatchObject([{ pointer: '/packages/1/name', code: 'duplicate_key' }])
    expect(findings).toEqual([])
  })

  test('[A-154] the same key in two objects is none, escapes are seen through', () => {
    expect(validateText(textOf({ packages: [examplePackage()], a: { b: 1 }, c: { b: 1 } })).isValid).toBe(
      true,
    )
    expect(validateText(String.raw`{"packages": [], "a": 1, "\u0061": 2}`).isValid).toBe(false)
  })

  test('[A-155] the same version text twice, or the same rank, is a warning', () => {
    const versions = [
      exampleVersion({ version: '1.0' }),
      exampleVersion({ version: '1.0.0' }),
      exampleVersion({ version: '1.0', status: 'testing' }),
      exampleVersion({ version: '1.0', version_epoch: 1 }),
    ]
    const [report] = validateText(textOf(examplePackage({ versions }))).packages
    expect(report?.isValid).toBe(true)
    expect(report?.findings.map(({ pointer, code, severity }) => [pointer, code, severity])).toEqual([
      ['/versions/1/version', 'equal_version', 'warning'],
      ['/versions/2/version', 'duplicate_version', 'warning'],
      ['/versions/3/version', 'duplicate_version', 'warning'],
    ])
  })

  test('[A-166] an identifier that is listed twice is a warning at the second', () => {
    const text = textOf({ packages: [examplePackage(), examplePackage({ name: 'Other' })] })
    const { isValid, packages } = validateText(text)
    expect(isValid).toBe(true)
    expect(packages.map(({ findings }) => findings)).toMatchObject([
      [],
      [{ pointer: '/packages/1/identifier', severity: 'warning', code: 'duplicate_identifier', line: 31 }],
    ])
  })
})

describe('dialects', () => {
  const branded = { version: '1.0', status: 'stable', kicad_version: '8.0' }

  test('[A-156] a document of another brand is told the option, once', () => {
    const found = findPackageFaults(examplePackage({ versions: [branded, { ...branded, version: '2.0' }] }))
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ['brand', '"tool_version" is missing and "kicad_version" is there: read it with --tool-brand kicad'],
    ])
    expect(findPackageFaults(examplePackage({ versions: [branded] }), { brand: 'kicad' })).toEqual([])
  })

  test('[A-156] a neutral document is told to drop the option; other faults are told as well', () => {
    const found = findPackageFaults(examplePackage({ versions: [without(exampleVersion(), 'status')] }), {
      brand: 'kicad',
    })
    expect(found.map(({ message }) => message).toSorted()).toEqual([
      '"kicad_version" is missing and "tool_version" is there: read it without --tool-brand',
      '"status" is missing',
    ])
  })

  test('[A-156] a version that has no tool version at all just misses it', () => {
    expect(
      findPackageFaults(examplePackage({ versions: [without(exampleVersion(), 'tool_version')] }))[0]
        ?.message,
    ).toBe('"tool_version" is missing')
  })
})

describe('the text', () => {
  test.each([
    ['{"a": 1,}', 9, 'is there a comma too many?'],
    ['{"a": 1 // one\n}', 9, 'JSON has no comments'],
    ['{"a": [1 2]}', 10, 'a comma must stand here'],
    ['{"a" 1}', 6, 'a colon must stand here'],
    ["{'a': 1}", 2, 'double quotes'],
    ['{"a": 1', 8, 'a } is missing'],
    ['{"a": "x\ty"}', 7, 'control characters'],
    [String.raw`{"a": "C:\x"}`, 7, 'a backslash must be doubled'],
    ['{} {}', 4, 'the document must end here'],
    ['{"a": NaN}', 7, 'this is no JSON value'],
    ['  ', 3, 'the document is empty'],
  ])('[A-157] %s is told why', (text, column, why) => {
    const report = validateText(text)
    expect(report).toMatchObject({ kind: undefined, isValid: false, packages: [] })
    expect(report.findings).toMatchObject([
      { code: 'syntax', line: 1, column, message: expect.stringContaining(why) },
    ])
  })

  test('[A-158] a byte order mark is tolerated with a warning', () => {
    const report = validateText(`\uFEFF${textOf(examplePackage())}`)
    expect(report).toMatchObject({ isValid: true, findings: [{ code: 'bom', severity: 'warning' }] })
    expect(validateText('\uFEFF{"packages": 1').findings.map(({ code }) => code)).toEqual(['bom', 'syntax'])
  })
})

describe('lists', () => {
  test('[A-159] invalid packages leave the others valid', () => {
    const bad = [5, null, [], {}, examplePackage({ identifier: 'b.c', license: 'x' })]
    const report = validateText(
      textOf({ packages: [examplePackage(), ...bad, examplePackage({ identifier: 'a.b' })] }),
    )
    expect(report.isValid).toBe(false)
    expect(report.findings).toEqual([])
    expect(report.packages.map(({ isValid }) => isValid)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ])
    expect(report.packages.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(report.packages.map(({ identifier }) => identifier)).toMatchObject({
      0: 'com.example.blinky',
      6: 'a.b',
    })
  })

  test('[A-159] valid values are in the neutral dialect, invalid ones are not handed on', () => {
    const branded = examplePackage({ versions: [{ version: '1.0', kicad_version: '8.0', status: 'stable' }] })
    const report = validateText(textOf({ packages: [branded, { ...branded, name: 1 }] }), { brand: 'kicad' })
    expect(report.packages[0]?.value?.versions).toEqual([
      { version: '1.0', tool_version: '8.0', status: 'stable' },
    ])
    expect(report.packages[1]).not.toHaveProperty('value')
  })
})

describe('times of a repository', () => {
  const repository = (update_time_utc: string, update_timestamp = 1_756_184_877) =>
    exampleRepository({ manifests: { url: 'https://example.com/m', update_timestamp, update_time_utc } })

  test('[A-162] the right time is fine', () => {
    expect(findRepositoryFaults(repository('2025-08-26 05:07:57'))).toEqual([])
  })

  test.each([
    [
      '2025-08-26 14:07:57',
      '"2025-08-26 14:07:57" is 9 h ahead: update_timestamp 1756184877 is 2025-08-26 05:07:57 UTC, as if local time had been written',
    ],
    ['2025-08-26 01:37:57', /is 3 h 30 min behind: .*, as if local time had been written$/],
    ['2025-08-26 05:07:50', /is 7 s behind: .* UTC$/],
    ['2025-08-28 05:07:57', /is 2 d ahead: .* UTC$/],
    ['2025-02-30 05:07:57', '"2025-02-30 05:07:57" is no date of the calendar'],
    ['2025-08-26 25:07:57', /is no date of the calendar/],
  ])('[A-162] %s is a warning', (time, message) => {
    expect(findRepositoryFaults(repository(time))).toMatchObject([
      {
        pointer: '/manifests/update_time_utc',
        severity: 'warning',
        code: 'update_time',
        message: expect.stringMatching(message),
      },
    ])
  })

  test.each([[Number.MAX_SAFE_INTEGER], [1_756_184_877_000]])(
    '[A-162] a timestamp of %o is taken for milliseconds',
    (timestamp) => {
      const [finding] = findRepositoryFaults(repository('2025-08-26 05:07:57', timestamp))
      expect(finding?.message).toMatch(/is beyond the year 9999; are these milliseconds\?$/)
    },
  )

  test.each([[-1e300], ['x'], [null]])('[A-162] a timestamp of %o breaks nothing', (timestamp) => {
    const report = validateText(textOf(repository('2025-08-26 05:07:57', timestamp as number)))
    expect(report.kind).toBe('repository')
  })
})
