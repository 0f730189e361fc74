import { expect, test } from 'vitest'
import { findPublishFaults } from '../src/publish-faults.ts'
import { validateText } from '../src/validate/index.ts'
import { examplePackage, exampleVersion } from './examples.ts'

const crossed = (tool_version: string, tool_version_max: string) =>
  findPublishFaults({ versions: [{ tool_version, tool_version_max }] }).map(({ pointer, code }) => ({
    pointer,
    code,
  }))

test.each([
  ['9.0', '8.0'],
  ['8.0.1', '8.0.0'],
  ['10', '9.99.99'],
])('[A-185] R5: %s is above %s', (min, max) => {
  expect(crossed(min, max)).toEqual([
    { pointer: '/versions/0/tool_version_max', code: 'tool_versions_crossed' },
  ])
})

test.each([
  ['8.0', '8.0'],
  ['8.0.5', '8.0'],
  ['8', '9'],
])('[A-185] R5: %s is not above %s', (min, max) => {
  expect(crossed(min, max)).toEqual([])
})

test('[A-508] C9: the judgement is the same in a brand’s dialect, and told in its spelling', () => {
  const check = (fields: object) => {
    const { tool_version: _min, ...version } = exampleVersion()
    const text = JSON.stringify(examplePackage({ versions: [{ ...version, ...fields }] }))
    const { isValid, packages } = validateText(text, { brand: 'kicad', findMore: findPublishFaults })
    return [isValid, packages[0]?.findings.map(({ pointer, column }) => [pointer, (column ?? 0) > 1])]
  }
  const found = [['/versions/0/kicad_version_max', true]]
  expect(check({ kicad_version: '8.0', kicad_version_max: '7.0' })).toEqual([false, found])
  expect(check({ kicad_version: '8.0', kicad_version_max: '8.0' })).toEqual([true, []])
  expect(check({ kicad_version: '8.0', tool_version_max: '7.0' })).toEqual([true, []])
  const both = { kicad_version: '6.0', tool_version: '8.0', tool_version_max: '7.0' }
  expect(check(both)).toEqual([false, [['/versions/0/tool_version_max', true]]])
})
