import { crc32 } from 'node:zlib'
import type { ArchiveRefusal } from '../../src/index.ts'
import { forgeWith } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'
import { extraField, pack } from './zip-writer.ts'

function named(reason: ArchiveRefusal, names: readonly (string | Buffer)[]): HostileCase[] {
  return names.map((name) => ({
    title: JSON.stringify(Buffer.isBuffer(name) ? name.toString('latin1') : name.slice(0, 40)),
    reason,
    bytes: () => forgeWith({ name, data: 'pwned' }),
  }))
}

export const TRAVERSALS = named('traversal', [
  '../outside.txt',
  '..',
  '../',
  'plugins/../../outside.txt',
  'plugins/..',
  'plugins/../..',
  'plugins/a/b/../../../../outside.txt',
  '../../../../../../../../tmp/outside.txt',
  '..\\outside.txt',
  'plugins\\..\\..\\outside.txt',
  'plugins/..\\outside.txt',
  'plugins/x/../y',
  './../outside.txt',
  'plugins//../../outside.txt',
  '../outside.txt\0.png',
  '../plugins/../../outside.txt',
])

export const ABSOLUTE_PATHS = named('absolute_path', [
  '/etc/cron.d/patchbay',
  '/tmp/outside.txt',
  '//server/share/outside.txt',
  '/',
  '//',
  '\\outside.txt',
  '\\\\server\\share\\outside.txt',
  '\\\\?\\C:\\outside.txt',
  'C:/outside.txt',
  'C:\\outside.txt',
  'c:outside.txt',
  'Z:/x/../outside.txt',
  '/plugins/main.py',
  'C:',
])

const LONG_SEGMENT = 'a'.repeat(256)
const DEVICES = [
  'con',
  'PRN',
  'Aux',
  'nul',
  'COM1',
  'com9',
  'lpt1',
  'LPT9',
  'com0',
  'COM¹',
  'lpt³',
  'CONIN$',
  'conout$',
]

export const HOSTILE_NAMES: readonly HostileCase[] = [
  ...named('hostile_name', [
    '',
    'plugins\\main2.py',
    'plugins/a\\b.py',
    'plugins//a.py',
    'plugins/./a.py',
    './plugins/a.py',
    '.',
    'plugins/a//',
    'plugins/a\0.py',
    'plugins/a\n.py',
    'plugins/a\r.py',
    'plugins/a\t.py',
    'plugins/\u001b[2Ja.py',
    'plugins/a\u007f.py',
    'plugins/a\u0085.py',
    'plugins/a\u2028.py',
    'plugins/yp.\u202eexe',
    'plugins/a\u200b.py',
    'plugins/a\u2066b\u2069.py',
    'plugins/\ufeffa.py',
    'plugins/a\u00ad.py',
    'plugins/a\u{e0041}.py',
    'plugins/a.',
    'plugins/a..',
    'plugins/...',
    'plugins/a ',
    'plugins/.. /a.py',
    'plugins/a. /b.py',
    'plugins./a.py',
    'plugins/a:stream.py',
    'plugins/main.py::$DATA',
    'plugins/a<b.py',
    'plugins/a>b.py',
    'plugins/a"b.py',
    'plugins/a|b.py',
    'plugins/a?b.py',
    'plugins/a*b.py',
    ...DEVICES.map((device) => `plugins/${device}`),
    'plugins/nul.txt',
    'plugins/NUL .txt',
    'plugins/com1.tar.gz',
    'plugins/aux/main.py',
    'con',
    `plugins/${LONG_SEGMENT}`,
    `plugins/${'ä'.repeat(128)}`,
    `plugins/${'deep/'.repeat(60)}a.py`,
    'x'.repeat(65_535),
    Buffer.from('plugins/\xff\xfe.py', 'latin1'),
    Buffer.from('plugins/\xe4.py', 'latin1'),
    Buffer.from('plugins/\xc0\xae\xc0\xae/a.py', 'latin1'),
    Buffer.from('plugins/\xed\xa0\x80.py', 'latin1'),
  ]),
  {
    title: 'a segment of 256 bytes, however long paths may be',
    reason: 'hostile_name',
    limits: { maxPathLength: 4096 },
    bytes: () => forgeWith({ name: `plugins/${LONG_SEGMENT}`, data: 'x' }),
  },
]

export const TWO_SPELLINGS: readonly HostileCase[] = [
  '../../outside.txt',
  'plugins/other.py',
  '/abs',
  '\0',
].map((other) => ({
  title: JSON.stringify(other),
  reason: 'hostile_name',
  bytes: () => {
    const name = Buffer.from('plugins/shown.py')
    const unicode = Buffer.concat([pack([1, 1], [crc32(name), 4]), Buffer.from(other)])
    return forgeWith({ name, data: 'x', extra: extraField(0x7075, unicode) })
  },
}))
