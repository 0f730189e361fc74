import { describe, expect, test } from 'vitest'
import { type Finding, findPackageFaults, validateText } from '../src/validate/index.ts'
import { suggestLicense } from '../src/validate/license-hint.ts'
import { examplePackage, exampleRepository, exampleVersion, without } from './examples.ts'

const textOf = (value: unknown) => JSON.stringify(value, undefined, 2)
const ofPackage = (changes: Readonly<Record<string, unknown>>) => findPackageFaults(examplePackage(changes))
const messageOf = (changes: Readonly<Record<string, unknown>>) => ofPackage(changes)[0]?.message
/** What stands in the text where a finding points. */
const lineOf = (text: string, { line = 0, column = 0 }: Finding) =>
  text.split('\n')[line - 1]?.slice(column - 1)

describe('where it is', () => {
  test('[A-151] in a package', () => {
    const text = textOf(
      examplePackage({ versions: [exampleVersion(), exampleVersion({ version: '2', status: 'beta' })] }),
    )
    const [finding] = validateText(text).packages[0]?.findings ?? []
    expect(finding).toMatchObject({ pointer: '/versions/1/status', code: 'word' })
    expect(finding && lineOf(text, finding)).toBe('"beta",')
  })

  test('[A-151] in a list, with the pointer from its root', () => {
    const text = textOf({ packages: [examplePackage(), examplePackage({ name: 5 })] })
    const [finding] = validateText(text).packages[1]?.findings ?? []
    expect(finding).toMatchObject({ pointer: '/packages/1/name', code: 'type' })
    expect(finding && lineOf(text, finding)).toBe('5,')
  })

  test('[A-151] what is missing is looked for in what should hold it', () => {
    const text = textOf({ packages: [examplePackage({ author: { name: 'Ada' } })] })
    const [finding] = validateText(text).packages[0]?.findings ?? []
    expect(finding).toMatchObject({ pointer: '/packages/0/author', message: '"contact" is missing' })
    expect(finding && lineOf(text, finding)).toBe('{')
  })

  test('[A-151] a key that is not allowed is pointed at itself, escaped in the pointer', () => {
    const text = textOf(examplePackage({ resources: { ok: 'x', 'a/b~c': 'y' } }))
    const [finding] = validateText(text).packages[0]?.findings ?? []
    expect(finding).toMatchObject({ pointer: '/resources/a~1b~0c', code: 'key' })
    expect(finding && lineOf(text, finding)).toBe('"a/b~c": "y"')
  })

  test.each([['\n'], ['\r\n'], ['\r']])('[A-151] lines end with %o', (lineEnd) => {
    const text = textOf(exampleRepository({ name: 7 })).replaceAll('\n', lineEnd)
    expect(validateText(text).findings[0]).toMatchObject({ pointer: '/name', line: 2, column: 11 })
  })
})

describe('what is wrong', () => {
  test.each([
    [{ name: 5 }, 'must be a string, found a number: 5'],
    [{ name: null }, 'must be a string, found null'],
    [{ author: 'Ada' }, 'must be an object, found a string: "Ada"'],
    [{ tags: {} }, 'must be an array, found an object'],
    [{ name: '𝄞'.repeat(201) }, 'must have at most 200 characters, found 201'],
    [{ tags: [] }, 'must have at least one item: leave it out when there is none'],
    [{ tags: ['ab', 'cd', 'ab'] }, 'must not repeat items: 2 is the same as 0'],
    [{ versions: [exampleVersion({ version_epoch: -1 })] }, 'must be 0 or more, found -1'],
    [{ versions: [exampleVersion({ version_epoch: 1.5 })] }, 'must be an integer, found a number: 1.5'],
    [{ versions: [exampleVersion(), exampleVersion()] }, 'must not repeat items: 1 is the same as 0'],
    [{ type: 'Plugin' }, 'must be one of plugin, library, colortheme; found "Plugin"'],
    [{ tags: ['PCB'] }, /^must be 2 to 50 lower-case letters.*; found "PCB"$/],
    [{ identifier: 'my_plugin' }, /such as com\.example\.blinky; found "my_plugin"$/],
    [{ versions: [exampleVersion({ version: 'v1.0' })] }, /with no v in front and no suffix; found "v1\.0"$/],
    [{ versions: [exampleVersion({ download_url: 'ftp://x' })] }, /begins with https:.*; found "ftp:\/\/x"$/],
    [{ resources: { home_page: 'x' } }, /^the key "home_page" must be 2 to 50 letters/],
  ])('[A-152] %o: %s', (changes, expected) => {
    expect(messageOf(changes)).toMatch(expected)
  })

  test('[A-152] what was found is shortened, and cannot drive a terminal', () => {
    const hostile = `\u001b[31m\u009b2J\u202e${'𝄞'.repeat(100)}`
    const message = messageOf({ identifier: hostile }) ?? ''
    expect(message).toContain(String.raw`"\u001b[31m\u{9b}2J\u{202e}𝄞`)
    expect(message).toMatch(/𝄞…"$/u)
    // oxlint-disable-next-line no-control-regex
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(Array.from(message).length).toBeLessThan(250)
  })

  test('[A-152] all faults are told at once', () => {
    const found = findPackageFaults(without(examplePackage({ name: 1, type: 'x' }), 'license'))
    expect(found.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['', 'required'],
      ['/name', 'type'],
      ['/type', 'word'],
    ])
  })
})

describe('licenses', () => {
  test.each([
    ['GPL-3.0-only', 'GPL-3.0'],
    ['GPL-3.0-or-later', 'GPL-3.0'],
    ['GPLv3+', 'GPL-3.0'],
    ['GNU General Public License v3.0', 'GPL-3.0'],
    ['LGPL-2.0', 'GNU-LGPL-2.0'],
    ['Apache 2.0', 'Apache-2.0'],
    ['Apache License 2.0', 'Apache-2.0'],
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['Apach-2.0', 'Apache-2.0'],
    ['mit', 'MIT'],
    ['MTI', 'MIT'],
    ['The MIT License', 'MIT'],
    ['BSD 3-Clause', 'BSD-3-Clause'],
    ['CC BY-SA 4.0', 'CC-BY-SA-4.0'],
    ['CC0', 'CC0-1.0'],
    ['CERN-OHL-S-2.0', 'CERN-OHL'],
    ['Public Domain', 'public-domain'],
    ['MPL-2.0', 'open-source'],
    ['AGPL-3.0-only', 'open-source'],
  ])('[A-153] %s is told %s', (written, right) => {
    const [finding] = ofPackage({ license: written })
    expect(finding).toMatchObject({ pointer: '/license', code: 'license' })
    expect(finding?.message).toContain(`"${right}"`)
  })

  test.each([['GPL-4.0'], ['proprietary'], ['All rights reserved'], [''], ['x'.repeat(10_000)]])(
    '[A-153] for %s nothing is suggested',
    (written) => {
      expect(suggestLicense(written)).toBeUndefined()
      expect(messageOf({ license: written })).toContain('is not on the list of licenses, which has MIT')
    },
  )
})
