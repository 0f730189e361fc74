import { HANDLE_PATTERN } from '@patchbay/contracts/core'
import { postSignUp } from '@patchbay/contracts/identity'
import { HANDLE_LENGTH } from '@patchbay/contracts/limits'
import { array, assert, constantFrom, oneof, option, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import {
  displayNameFrom,
  handleFrom,
  isReservedHandle,
  mailName,
  numberedHandles,
} from '../../src/accounts/handle.ts'
import { safeReturnTo } from '../../src/accounts/return-to.ts'
import { isOpenTo } from '../../src/accounts/sign-up-policy.ts'

const anyText = string({ unit: 'binary', maxLength: 400 })
const isHandle = (text: string) => new RegExp(HANDLE_PATTERN).test(text) && text.length <= HANDLE_LENGTH

test('[C-109] whatever an issuer says, the suggestion has the shape of a handle, with any number behind it', () => {
  const said = array(option(oneof(anyText, string({ unit: 'grapheme' })), { nil: undefined }))
  assert(
    property(said, (texts) => {
      expect(numberedHandles(handleFrom(texts), 50).every(isHandle)).toBe(true)
    }),
  )
})

test.for([
  [['Ada.Lovelace'], 'ada-lovelace'],
  [['  --Grace__Hopper--  '], 'grace-hopper'],
  [[undefined, '', '日本', 'Straße 5'], 'strasse-5'],
  [['Łukasz Ørsted'], 'lukasz-orsted'],
  [['日本語'], 'user'],
  [['a'.repeat(38) + ' b'], 'a'.repeat(38)],
] as const)('[C-109] %j becomes %s', ([texts, expected]) => {
  expect(handleFrom(texts)).toBe(expected)
})

test('[C-109] of an address the name counts, without its sorting tag', () => {
  expect([mailName('ada+lists@example.test'), mailName('ada'), mailName(undefined)]).toEqual([
    'ada',
    'ada',
    undefined,
  ])
})

test('[C-110] whatever an issuer says, the suggested name is one that the sign-up takes', () => {
  const { pattern, maxLength } = postSignUp.body.properties.display_name as unknown as {
    pattern: string
    maxLength: number
  }
  const shape = new RegExp(pattern, 'u')
  assert(
    property(anyText, (text) => {
      const name = displayNameFrom(text, 'user')
      expect(shape.test(name) && Array.from(name).length <= maxLength).toBe(true)
    }),
  )
  expect(displayNameFrom(' Ada\u202E \n  Lovelace\u200B ', 'user')).toBe('Ada Lovelace')
  expect(displayNameFrom('😀'.repeat(100), 'user')).toBe(`${'😀'.repeat(79)}…`)
})

test('[C-108] words of our addresses are reserved, names of people are not', () => {
  const words =
    `admin api auth account approve sign-in sign-up welcome packages workspaces components patchbay reference
    health ready metrics assets www root system support security settings about new null undefined`.split(
      /\s+/,
    )
  expect(words.filter((word) => !isReservedHandle(word))).toEqual([])
  expect(['ada', 'grace', 'user', 'constructor', '__proto__'].filter(isReservedHandle)).toEqual([])
})

test('[C-111] whatever is asked for, a sign-in leads to a path of this site', () => {
  const site = 'https://patchbay.example'
  const piece = constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '//',
    '%2f',
    '%5c',
    '@',
    'evil.example',
    ':',
    '?',
    '#',
    '\t',
    'é',
    'a',
  )
  const paths = oneof(
    array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`),
    array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    anyText,
  )
  assert(
    property(paths, (text) => {
      const path = safeReturnTo(text, site)
      expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/)
      expect(new URL(path, site).origin).toBe(site)
    }),
    { numRuns: 2_000 },
  )
})

test.for([
  ['/account', '/account'],
  ['/packages?q=a%20b&x=1#here', '/packages?q=a%20b&x=1#here'],
  // A token would lie in the database beside the session that it opens.
  ['/approve?token=abc#here', '/approve'],
  ['/x/../approve?token=abc', '/approve'],
  ['/pakete/über', '/pakete/%C3%BCber'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
] as const)('[C-111] %s leads to %s', ([text, expected]) => {
  expect(safeReturnTo(text, 'https://patchbay.example')).toBe(expected)
})

test.for([
  ['open', true, true],
  ['issuer', true, false],
  ['invited', false, false],
] as const)(
  '[C-112] %s takes somebody with an issuer: %s, with a passkey: %s',
  ([policy, issuer, passkey]) => {
    expect([isOpenTo(policy, 'issuer'), isOpenTo(policy, 'passkey')]).toEqual([issuer, passkey])
  },
)
