import { forgeWith } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'
import type { ForgedEntry } from './zip-writer.ts'

const UNIX = 0x0314
const MACOS = 0x1314
const DOS = 0x0014

function mode(bits: number): number {
  return (bits << 16) >>> 0
}

function kind(title: string, reason: HostileCase['reason'], ...entries: readonly ForgedEntry[]): HostileCase {
  return { title, reason, bytes: () => forgeWith(...entries) }
}

const link = { name: 'plugins/link', data: '../../../outside.txt', attributes: mode(0o120_777) }

export const SPECIAL_KINDS: readonly HostileCase[] = [
  kind('a link', 'symlink', { ...link, madeBy: UNIX }),
  kind('a link from macOS', 'symlink', { ...link, madeBy: MACOS }),
  kind('a link that says it is from DOS', 'symlink', { ...link, madeBy: DOS }),
  kind('a stored link', 'symlink', { ...link, method: 0 }),
  kind('a link to an absolute path', 'symlink', { ...link, data: '/etc' }),
  kind('an empty link', 'symlink', { ...link, data: '' }),
  kind('a link to a folder and a file in it', 'symlink', link, { name: 'plugins/link2/x', data: 'x' }),
  kind('a link outside of the known folders', 'symlink', { ...link, name: 'docs/link' }),
  kind('a link named like a folder', 'symlink', { ...link, name: 'plugins/link/', data: '' }),
  kind('a link in place of the icon', 'symlink', { ...link, name: 'resources/icon.png' }),
  kind('a pipe', 'special_file', { name: 'plugins/pipe', attributes: mode(0o010_644) }),
  kind('a character device', 'special_file', { name: 'plugins/tty', attributes: mode(0o020_644) }),
  kind('a block device', 'special_file', { name: 'plugins/disk', attributes: mode(0o060_644) }),
  kind('a socket', 'special_file', { name: 'plugins/socket', attributes: mode(0o140_644) }),
  kind('an unknown kind', 'special_file', { name: 'plugins/what', attributes: mode(0o170_644) }),
  kind('a door from DOS', 'special_file', { name: 'plugins/door', attributes: mode(0o150_644), madeBy: DOS }),
]

export const TWO_KINDS: readonly HostileCase[] = [
  kind('a folder by its mode and a file by its name', 'ambiguous', {
    name: 'plugins/a',
    data: 'x',
    attributes: mode(0o040_755),
  }),
  kind('a folder by its DOS attribute and a file by its name', 'ambiguous', {
    name: 'plugins/a',
    data: 'x',
    attributes: 0x10,
    madeBy: DOS,
  }),
  kind('a file by its mode and a folder by its name', 'ambiguous', {
    name: 'plugins/a/',
    attributes: mode(0o100_644),
  }),
  kind('a folder with content', 'ambiguous', { name: 'plugins/a/', data: 'x', attributes: mode(0o040_755) }),
]

export const ENCODINGS: readonly HostileCase[] = [
  kind('classic encryption', 'encrypted', { name: 'plugins/a', data: 'x', flags: 0x801 }),
  kind('strong encryption', 'encrypted', { name: 'plugins/a', data: 'x', flags: 0x841 }),
  kind('strong encryption alone', 'encrypted', { name: 'plugins/a', data: 'x', flags: 0x840 }),
  kind('masked headers', 'encrypted', { name: 'plugins/a', data: 'x', flags: 0x2800 }),
  kind('AES', 'encrypted', { name: 'plugins/a', data: 'x', method: 99, flags: 0x801 }),
  kind('AES without its flag', 'encrypted', { name: 'plugins/a', data: 'x', method: 99 }),
  kind('encryption outside of the known folders', 'encrypted', { name: 'docs/a', data: 'x', flags: 0x801 }),
  ...[1, 2, 6, 7, 9, 10, 12, 14, 18, 20, 93, 95, 96, 97, 98, 0xffff].map((method) =>
    kind(`method ${method}`, 'unsupported_method', { name: 'plugins/a', data: 'x', method }),
  ),
  kind('a patch', 'unsupported_method', { name: 'plugins/a', data: 'x', flags: 0x820 }),
]
