import { describe, expect, test } from 'vitest'
import { IDENTIFIER_PATTERN, isCompatUrl, isContractUrl, LICENSES } from '../src/index.ts'
import { createPackageValidator, findRepositoryFaults, validateText } from '../src/validate/index.ts'
import { examplePackage, exampleRepository, exampleVersion, without } from './examples.ts'

const isPackage = createPackageValidator()
const isRepository = (value: unknown) =>
  findRepositoryFaults(value).every(({ severity }) => severity !== 'error')
const withVersion = (changes: Readonly<Record<string, unknown>>) =>
  examplePackage({ versions: [exampleVersion(changes)] })

describe('a package', () => {
  test('[A-100] the example is valid, and none of its fields can be left out', () => {
    const example = examplePackage()
    expect(isPackage(example)).toBe(true)
    expect(Object.keys(example).filter((key) => isPackage(without(example, key)))).toEqual([])
  })

  test.each([
    ['name', 'x'.repeat(200), 'x'.repeat(201)],
    ['description', 'x'.repeat(500), 'x'.repeat(501)],
    ['description_full', 'x'.repeat(5000), 'x'.repeat(5001)],
    ['name', '', 5],
    ['identifier', 'ab', 'a'],
    ['identifier', `a${'.'.repeat(98)}0`, `a${'.'.repeat(99)}0`],
    ['identifier', 'A-b.C', '1ab'],
    ['identifier', 'a.9', 'a.'],
    ['identifier', 'aa', 'aa\n'],
    ['type', 'library', 'Library'],
    ['type', 'colortheme', 'datasource'],
    ['author', { name: '', contact: {} }, 'Ada'],
    ['maintainer', { name: 'x', contact: {} }, { name: 'x' }],
    ['maintainer', { name: 'x', contact: {} }, null],
    ['category', '', 1],
    ['license', 'open-source', 'MPL-2.0'],
    ['resources', {}, []],
    ['resources', { 'Home page': 'x'.repeat(500) }, { homepage: 'x'.repeat(501) }],
    ['tags', ['ab'], []],
    ['tags', ['a-b', 'a-c'], ['a-b', 'a-b']],
    ['tags', [`a${'-'.repeat(48)}0`], [`a${'-'.repeat(49)}0`]],
    ['tags', ['ab'], ['Ab']],
    ['keep_on_update', [], ['x', 'x']],
    ['keep_on_update', ['('], [1]],
    ['versions', [], {}],
    [
      'versions',
      [exampleVersion(), exampleVersion({ status: 'testing' })],
      [exampleVersion(), exampleVersion()],
    ],
  ])('[A-100] %s: %o is taken and %o is not', (field, taken, refused) => {
    expect(isPackage(examplePackage({ [field]: taken }))).toBe(true)
    expect(isPackage(examplePackage({ [field]: refused }))).toBe(false)
  })

  test('[A-100] anything but an object is none', () => {
    expect([null, [], 'x', 1, true, undefined].filter(isPackage)).toEqual([])
  })

  test.each([
    ['contact', { 'e-mail 2': 'x' }, { Email: 'x' }],
    ['contact', { ab: 'x'.repeat(500) }, { ab: 'x'.repeat(501) }],
    ['contact', { ab: '' }, { a: '' }],
    ['contact', { ab: '' }, { ab: 1 }],
    ['name', 'x'.repeat(500), 'x'.repeat(501)],
  ])('[A-101] %s of a contact: %o is taken and %o is not', (field, taken, refused) => {
    const author = { name: 'Ada', contact: {} }
    expect(isPackage(examplePackage({ author: { ...author, [field]: taken } }))).toBe(true)
    expect(isPackage(examplePackage({ author: { ...author, [field]: refused } }))).toBe(false)
  })

  test.each([['home_page'], ['a'], ['1a'], ['a '], [`a${'b'.repeat(50)}`], ['']])(
    '[A-101] %o is no key of resources',
    (key) => expect(isPackage(examplePackage({ resources: { [key]: 'x' } }))).toBe(false),
  )

  test('[A-106] unknown keys are allowed in packages, contacts and versions, and stay', () => {
    const extended = examplePackage({
      $schema: 'x',
      author: { name: 'Ada', contact: {}, since: 1843 },
      versions: [exampleVersion({ notes: ['first'] })],
    })
    expect(isPackage(extended)).toBe(true)
    expect(validateText(JSON.stringify(extended)).packages[0]?.value).toEqual(extended)
  })

  test('[A-107] a character outside the basic plane counts once', () => {
    expect(isPackage(examplePackage({ name: '𝄞'.repeat(200) }))).toBe(true)
    expect(isPackage(examplePackage({ name: '𝄞'.repeat(201) }))).toBe(false)
  })

  test('[A-105] the licenses are the 90 of the contract, and no other spelling', () => {
    expect(LICENSES).toHaveLength(90)
    expect(LICENSES.every((license) => isPackage(examplePackage({ license })))).toBe(true)
    expect(
      ['mit', 'GPL-3.0-only', '', 'MIT '].some((license) => isPackage(examplePackage({ license }))),
    ).toBe(false)
  })
})

describe('a version', () => {
  test('[A-102] version, status and tool_version are needed, and nothing else', () => {
    const version = exampleVersion()
    const missing = (key: string) => examplePackage({ versions: [without(version, key)] })
    expect(isPackage(examplePackage({ versions: [version] }))).toBe(true)
    expect(Object.keys(version).filter((key) => isPackage(missing(key)))).toEqual([])
  })

  test.each([
    ['version', '1', 'v1'],
    ['version', '9999.9999.999999', '9999.9999.9999999'],
    ['version', '0001.2', '00001.2'],
    ['version', '1.0', '1.0.'],
    ['version', '1.0.0', '1.0.0.0'],
    ['version', '1.0.0', '1.0.0-rc1'],
    ['version', '1.0.0', '١.0'],
    ['version_epoch', 0, -1],
    ['version_epoch', 3, 1.5],
    ['version_epoch', 3, '3'],
    ['download_url', 'https://example.com/a.zip', 'ftp://example.com/a.zip'],
    ['download_sha256', 'a'.repeat(64), 'A'.repeat(64)],
    ['download_sha256', '0'.repeat(64), '0'.repeat(63)],
    ['download_size', 0, -1],
    ['install_size', 1, 0.5],
    ['status', 'deprecated', 'beta'],
    ['platforms', ['linux'], []],
    ['platforms', ['linux', 'macos', 'windows'], ['linux', 'linux']],
    ['platforms', ['linux'], ['Linux']],
    ['runtime', 'ipc', 'python'],
    ['tool_version', '99.99.99', '100'],
    ['tool_version', '8', '8.0.0.0'],
    ['tool_version_max', '8.0', '8.0-rc'],
    ['keep_on_update', ['a', 'b'], ['a', 'a']],
  ])('[A-102] %s: %o is taken and %o is not', (field, taken, refused) => {
    expect(isPackage(withVersion({ [field]: taken }))).toBe(true)
    expect(isPackage(withVersion({ [field]: refused }))).toBe(false)
  })
})

describe('lists and repositories', () => {
  test('[A-103] a list has packages in an array, each one valid', () => {
    expect(validateText(JSON.stringify({ packages: [] })).isValid).toBe(true)
    expect(validateText(JSON.stringify({ packages: [examplePackage()], more: 1 })).isValid).toBe(true)
    expect(validateText(JSON.stringify({ packages: [1] })).isValid).toBe(false)
  })

  test('[A-104] a repository needs a name and packages, and each file a url and a time', () => {
    const repository = exampleRepository()
    const file = { url: 'https://example.com/x', update_timestamp: 1 }
    expect(isRepository(repository)).toBe(true)
    expect(Object.keys(repository).filter((key) => isRepository(without(repository, key)))).toEqual([])
    expect(
      Object.keys(file).filter((key) => isRepository({ name: 'x', packages: without(file, key) })),
    ).toEqual([])
  })

  test.each([
    ['name', 'x'.repeat(500), 'x'.repeat(501)],
    ['$schema', 'https://example.com/schema', 'schema.json'],
    ['maintainer', { name: 'Ada', contact: {} }, {}],
    ['resources', { url: 'https://example.com/x', update_timestamp: 1 }, 'https://example.com/x'],
    ['manifests', { url: 'https://example.com/x', update_timestamp: -1 }, { url: 'x', update_timestamp: 1 }],
  ])('[A-104] %s of a repository: %o is taken and %o is not', (field, taken, refused) => {
    expect(isRepository(exampleRepository({ unknown: {}, [field]: taken }))).toBe(true)
    expect(isRepository(exampleRepository({ unknown: {}, [field]: refused }))).toBe(false)
  })

  test.each([
    ['sha256', 'a'.repeat(64), 'a'.repeat(65)],
    ['update_timestamp', 0, '0'],
    ['update_timestamp', 1, 1.5],
    ['update_time_utc', '2026-01-31 18:00:00', '2026-01-31T18:00:00Z'],
    ['update_time_utc', '2026-01-31 18:00:00', '1999-12-31 18:00:00'],
  ])('[A-104] %s of a file: %o is taken and %o is not', (field, taken, refused) => {
    const packages = { url: 'https://example.com/x', update_timestamp: 1 }
    expect(isRepository(exampleRepository({ packages: { ...packages, [field]: taken } }))).toBe(true)
    expect(isRepository(exampleRepository({ packages: { ...packages, [field]: refused } }))).toBe(false)
  })
})

describe('a URL', () => {
  const taken = [
    'https://example.com',
    'http://a',
    'http://a/',
    'file:///x',
    'file://C:\\x',
    'file:///a b\nc',
  ]
  const refused = [
    'http://',
    'http:///x',
    'http:// x',
    'http://a b',
    'http://a\n',
    'HTTP://a',
    ' http://a',
    'ftp://a',
    'file://x',
    'file:///',
    'file:///a\0b',
    'javascript:alert(1)//file:///x',
    'javascript:alert(1)//http://ab',
    '',
  ]

  test('[A-108] strict takes what the contract words, and nothing around it', () => {
    expect(taken.filter((text) => !isContractUrl(text))).toEqual([])
    expect(refused.filter(isContractUrl)).toEqual([])
    expect(taken.filter((url) => !isPackage(withVersion({ download_url: url })))).toEqual([])
    expect(refused.filter((url) => isPackage(withVersion({ download_url: url })))).toEqual([])
  })

  test('[A-109] compat takes what existing tools take', () => {
    const isCompatible = createPackageValidator({ urls: 'compat' })
    const compat = [
      'https://example.com',
      'http://a b',
      'http://ab\n',
      'javascript:alert(1)//file:///x',
      'file:///x',
    ]
    expect(compat.filter((url) => !isCompatible(withVersion({ download_url: url })))).toEqual([])
    expect(compat.filter((url) => !isCompatUrl(url))).toEqual([])
    expect(['http://a', 'http://.ab', 'ftp://ab', ''].filter(isCompatUrl)).toEqual([])
  })
})

test('[A-100] the identifier pattern is exported as the contract writes it', () => {
  expect(IDENTIFIER_PATTERN).toBe('^[a-zA-Z][-a-zA-Z0-9.]{0,98}[a-zA-Z0-9]$')
})
