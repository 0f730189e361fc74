import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { compiledCheck } from '../src/validate/compiled.ts'
import {
  createPackageValidator,
  findPackageFaults,
  findRepositoryFaults,
  type Report,
  type ValidateOptions,
  validateText,
} from '../src/validate/index.ts'
import { cpuMilliseconds } from './cpu-time.ts'
import { examplePackage, exampleRepository, exampleVersion } from './examples.ts'

const many = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => create(index))

test('[A-160] a package has at most 100 findings', () => {
  const versions = many(1000, (index) => ({ version: index, status: 'x' }))
  expect(findPackageFaults(examplePackage({ versions }))).toHaveLength(100)
  const warned = many(1000, (index) => exampleVersion({ version: '1', download_size: index }))
  expect(findPackageFaults(examplePackage({ versions: warned }))).toHaveLength(100)
})

test('[A-160] errors are told before warnings when there is no room for both', () => {
  const versions = many(300, (index) => exampleVersion({ version: '1', download_size: index }))
  const text = JSON.stringify(examplePackage({ versions, license: 'x' }))
  const [report] = validateText(text).packages
  expect(report?.findings).toHaveLength(100)
  expect(report?.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { pointer: '/license' },
  ])
})

test('[A-160] every repeated key makes its package invalid, however many there were before', () => {
  const noisy = JSON.stringify(examplePackage({ noise: 0 })).replace(
    '"noise":0',
    many(500, () => '"n":1').join(),
  )
  const quiet = JSON.stringify(examplePackage({ noise: 0, identifier: 'a.b' })).replace(
    '"noise":0',
    '"n":1,"n":2',
  )
  const { packages } = validateText(`{"packages":[${noisy},${quiet}]}`)
  expect(packages.map(({ findings }) => findings.length)).toEqual([100, 1])
  expect(packages.map(({ isValid }) => isValid)).toEqual([false, false])
})

const ROUNDS = 3

deepTest.each<[string, (count: number) => Readonly<Record<string, unknown>>]>([
  ['bad versions', (count) => ({ versions: many(count, () => 1) })],
  [
    'different versions',
    (count) => ({ versions: many(count, (index) => exampleVersion({ download_size: index })), license: 'x' }),
  ],
  ['bad keys', (count) => ({ resources: Object.fromEntries(many(count, (index) => [`_${index}`, 1])) })],
  ['bad tags', (count) => ({ tags: many(count, (index) => `_${index}`) })],
  ['bad platforms', (count) => ({ versions: [exampleVersion({ platforms: many(count, () => 'x') })] })],
])('[A-160] 20,000 %s cost no more than their number explains', (_, changes) => {
  const reports: Report[] = []
  // The best of several rounds: a busy machine makes single ones slower, also by the processor's own clock.
  const costOf = (count: number) => {
    const text = JSON.stringify(examplePackage(changes(count)))
    return Math.min(...many(ROUNDS, () => cpuMilliseconds(() => reports.push(validateText(text)))))
  }
  const quarter = costOf(5_000)
  // Four times as many: sixteen times as long would be the square.
  expect(costOf(20_000)).toBeLessThan(8 * quarter + 200)
  expect(reports.map(({ isValid }) => isValid)).toEqual(many(2 * ROUNDS, () => false))
})

test('[A-160] a fault beyond what is looked at one by one is still one', () => {
  const tags = [...many(300, (index) => `tag-${index}`), 'BAD']
  expect(findPackageFaults(examplePackage({ tags }))).toMatchObject([{ code: 'beyond', severity: 'error' }])
})

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown

test('[A-161] 32 levels are taken, 33 are not', () => {
  const valid = createPackageValidator()
  expect(valid(examplePackage({ deep: nested(31) }))).toBe(true)
  expect(valid(examplePackage({ deep: nested(32) }))).toBe(false)
  expect(findPackageFaults(examplePackage({ deep: nested(32) }))).toMatchObject([{ code: 'too_deep' }])
  expect(findRepositoryFaults(exampleRepository({ deep: nested(32) }))).toMatchObject([{ code: 'too_deep' }])
})

deepTest('[A-161] a million levels make one package invalid, and no other', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
  const hostile = JSON.stringify(examplePackage({ deep: 0, identifier: 'a.b' })).replace(
    '"deep":0',
    `"deep":${deep}`,
  )
  const report = validateText(`{"packages":[${hostile},${JSON.stringify(examplePackage())}]}`)
  expect(report.packages.map(({ isValid }) => isValid)).toEqual([false, true])
  expect(report.packages[0]?.findings).toMatchObject([{ code: 'too_deep', line: 1, column: 14 }])
})

test('[A-161] nor does it when other findings stand beside it', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const hostile = JSON.stringify(examplePackage({ deep: 0 })).replace(
    '"deep":0',
    `"deep":${deep},"a":1,"a":2`,
  )
  const { packages } = validateText(
    `{"a":1,"a":2,"packages":[${JSON.stringify(examplePackage())},${hostile}]}`,
  )
  expect(packages[1]?.findings.map(({ code }) => code).toSorted()).toEqual([
    'duplicate_identifier',
    'duplicate_key',
    'too_deep',
  ])
})

test('[A-161] equal versions that are nested deeply exhaust no stack', () => {
  const versions = many(20, () => exampleVersion({ deep: nested(20_000) }))
  expect(createPackageValidator()(examplePackage({ versions }))).toBe(false)
  expect(createPackageValidator()(examplePackage({ versions: versions.slice(0, 2) }))).toBe(false)
})

test('[A-161] a million brackets that never close are told as what they are', () => {
  expect(validateText('['.repeat(1_000_000)).findings).toMatchObject([{ code: 'syntax' }])
  expect(validateText(`{"packages":[],"x":${'[{"a":'.repeat(100_000)}`).isValid).toBe(false)
  expect(validateText(`{"packages":[],"x":${'['.repeat(50)}${']'.repeat(50)}}`).findings).toMatchObject([
    { code: 'too_deep' },
  ])
})

test('[A-165] a schema is compiled once per brand and URL mode', () => {
  const compiled = (options: ValidateOptions) => compiledCheck('Package', 'first fault', options)
  expect(compiled({ brand: 'kicad' })).toBe(compiled({ brand: 'kicad', urls: 'strict' }))
  expect(compiled({ brand: 'kicad' })).not.toBe(compiled({ brand: 'kicad', urls: 'compat' }))
  expect(compiled({})).toBe(compiled({ brand: 'tool' }))
  expect(() => compiled({ brand: 'Not One' })).toThrow(TypeError)
})

deepTest('[A-165] brands without end do not fill the memory', () => {
  const compiled = (brand: string) => compiledCheck('Package', 'first fault', { brand })
  const first = compiled('first')
  expect(compiled('first')).toBe(first)
  for (const index of Array.from({ length: 16 }).keys()) compiled(`brand${index}`)
  expect(compiled('first')).not.toBe(first)
})
