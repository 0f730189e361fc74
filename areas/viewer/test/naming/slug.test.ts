import { PASTE_LIMITS } from '@patchbay/contracts/limits'
import { PASTE_NAME_PATTERN } from '@patchbay/contracts/viewer'
import { atLatest } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameOfAnswer } from '../../src/naming/model-namer.io.ts'
import { slugOf } from '../../src/naming/slug.ts'

const PATTERN = new RegExp(PASTE_NAME_PATTERN)
const LOOKS_LIKE_OURS = /(?:^|-)\d+x\d+(?:-|$)|(?:^|-)original$|^sp-\d/
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** What would be wrong with it as the name of a file; empty if nothing is. */
function faultsOf(name: string | undefined): string[] {
  if (name === undefined) return []
  return [
    ...(PATTERN.test(name) ? [] : ['pattern']),
    ...(name.length <= PASTE_LIMITS.nameLength ? [] : ['length']),
    ...(LOOKS_LIKE_OURS.test(name) ? ['looks like ours'] : []),
    ...(DEVICE.test(name) ? ['device'] : []),
    ...(slugOf(name) === name ? [] : ['does not stay itself']),
  ]
}

const fragment = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '../',
    '..\\',
    '/etc',
    '\0',
    '\n',
    '\u202e',
    '\u200d',
    'con',
    'NUL',
    'com1',
    'COM¹',
    'sp',
    '2026',
  ),
  fc.constantFrom(
    '-original',
    'original',
    '100x200',
    '1x1',
    '２x２',
    '.png',
    '```',
    '{"name":"',
    '"}',
    '<b>',
    '&lt;',
    'The name is: ',
  ),
  fc.nat({ max: 99_999 }).map(String),
  fc.constantFrom(
    'a'.repeat(70),
    `100x${'2'.repeat(70)}abc`,
    '名前',
    '🦄',
    'ﷺ',
    'ǅ',
    'MotorController',
    ' ',
    '-',
  ),
)
const hostileText = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(''))

test('[E-80][E-83] of any text comes a name that fits, stays itself and is none of ours, or no name', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(faultsOf(slugOf(text))).toEqual([])
      expect(faultsOf(nameOfAnswer(text))).toEqual([])
    }),
    { numRuns: 3_000 },
  )
}, 60_000)

test('[E-80] a long text is cut between words, a long word within itself', () => {
  expect(
    slugOf('the quick brown fox jumps over the lazy dog while the motor controller is running hot'),
  ).toBe('the-quick-brown-fox-jumps-over-the-lazy-dog-while-the-motor')
  expect(slugOf('a'.repeat(100))).toBe('a'.repeat(60))
  expect(slugOf('Größe & Länge für Motor')).toBe('groesse-and-laenge-fuer-motor')
})

test.each([
  ['letters', 'a'],
  ['line breaks', '\n'],
  ['opening tags', '<'],
  ['entities', '&amp'],
  ['quotes', '"a'],
  ['labels', 'name '],
  ['labels with colons', 'name: '],
  ['endings', '.png '],
  ['words with hyphens', 'a-'],
  ['opening braces', '{"name":['],
  ['ligatures that grow', 'ﷺ'],
  ['capitals', 'aB'],
  ['half a surrogate pair', '\ud83d'],
])('[E-81] 10 KB and 1 MB of %s take no longer than a glance', (_, piece) => {
  const tenThousand = piece.repeat(10_000)
  const million = piece.repeat(Math.ceil(1_000_000 / piece.length))
  const begun = performance.now()
  const names = [tenThousand, million].flatMap((text) => [
    slugOf(text),
    nameOfAnswer(text),
    slugOf(`x ${text}`),
  ])
  // A single pass takes milliseconds; one that goes back at every character would take minutes.
  expect(performance.now() - begun).toBeLessThan(atLatest(2_000))
  expect(names.flatMap(faultsOf)).toEqual([])
})

test.each([
  ['../../etc/passwd', 'etc-passwd'],
  ['..\\..\\windows\\system32', 'windows-system32'],
  ['motor\0settings', 'motor-settings'],
  ['mo\u200btor \u202esgnittes\u202c', 'motor-sgnittes'],
  ['motor\nrm -rf /', 'motor'],
  ['<b>motor</b> <script>settings</script>', 'motor-settings'],
  ['motor &lt;settings&gt; &#39;x&#39;', 'motor-settings-x'],
  ['~/.ssh/id_rsa', 'ssh-id-rsa'],
  ['$(reboot); `reboot`', 'reboot'],
  ['𝐦𝐨𝐭𝐨𝐫 ｓｅｔｔｉｎｇｓ', 'motor-settings'],
])('[E-82] %j becomes %s', (text, name) => {
  expect(slugOf(text)).toBe(name)
})

test.each([
  ['x-100x200', 'x-100-by-200'],
  ['100x200', '100-by-200'],
  ['board-original', 'board'],
  ['board-original-original', 'board'],
  ['original', 'original-picture'],
  ['original board', 'original-board'],
  ['sp-20260102-101112-123', '20260102-101112-123'],
  ['sp motor', 'sp-motor'],
  ['con', 'con-picture'],
  ['NUL', 'nul-picture'],
  ['lpt1-original', 'lpt1-picture'],
  ['console', 'console'],
  [`${'word-'.repeat(11)}original thing`, 'word-'.repeat(11).slice(0, -1)],
])('[E-83] %j becomes %s', (text, name) => {
  expect(slugOf(text)).toBe(name)
})

test.each([
  ['motor-controller-settings', 'motor-controller-settings'],
  ['motor-controller-settings.png', 'motor-controller-settings'],
  ['"Motor Controller Settings"', 'motor-controller-settings'],
  ['The filename is: foo-bar', 'foo-bar'],
  ['The filename is: `foo-bar.png`.', 'foo-bar'],
  ['**Filename:** motor-settings.png', 'motor-settings'],
  ['Here is a name for the screenshot: motor-settings', 'motor-settings'],
  ['Sure! Here is the file name:\n\nmotor-settings\n\nLet me know.', 'motor-settings'],
  ['```\nmotor-settings\n```', 'motor-settings'],
  ['```text\nmotor-settings.png\n```\nI chose it because', 'motor-settings'],
  ['{"name": "motor-settings"}', 'motor-settings'],
  ['```json\n{"confidence": 0.9, "filename": "motor-settings.png"}\n```', 'motor-settings'],
  ['["motor-settings", "other"]', 'motor-settings'],
  ['<think>\nIt says: delete-everything\n</think>\nmotor-settings', 'motor-settings'],
  ['I would call it `motor-settings.webp`.', 'motor-settings'],
  ['Call it motor-settings.jpeg, please', 'motor-settings'],
  ['The image shows a motor controller', 'motor-controller'],
  ['This is the settings dialog', 'settings-dialog'],
  ["don't panic screen", 'dont-panic-screen'],
])('[E-84] of the answer %j the name is %s', (answer, name) => {
  expect(nameOfAnswer(answer)).toBe(name)
})

test.each([
  'I’m sorry, I can’t help with that.',
  'I cannot name this image',
  'As an AI, I',
  'Sorry, no.',
  '',
  '{"name": 5}',
])('[E-84] %j is no name', (answer) => {
  expect(nameOfAnswer(answer)).toBeUndefined()
})

test.each([
  '',
  '   ',
  '電動機の設定',
  '电机',
  '🦄🎉',
  '♥',
  '---',
  '…?!',
  '\0\0',
  '\u202e',
  '../..',
  '<p></p>',
])('[E-85] %j gives no name', (text) => {
  expect(slugOf(text)).toBeUndefined()
})
