import { forgeWith, metadataEntry } from '../sample.ts'
import type { HostileCase } from './hostile-case.ts'
import { extraField, type ForgedEnd, type ForgedEntry, forge, pack } from './zip-writer.ts'

const file: ForgedEntry = { name: 'plugins/main.py', data: 'print("on")\n' }
const files = [metadataEntry(), file]
const junk = Buffer.from('junk of twenty bytes')
const whole = forge(files)

function bytes(title: string, reason: HostileCase['reason'], make: () => Buffer): HostileCase {
  return { title, reason, bytes: make }
}

function ended(title: string, reason: HostileCase['reason'], end: ForgedEnd): HostileCase {
  return bytes(title, reason, () => forge(files, end))
}

export const NO_ZIPS: readonly HostileCase[] = [
  bytes('nothing', 'not_a_zip', () => Buffer.alloc(0)),
  bytes('one byte', 'not_a_zip', () => Buffer.from('P')),
  bytes('text', 'not_a_zip', () => Buffer.from('<html>429 Too Many Requests</html>')),
  bytes('zeros', 'not_a_zip', () => Buffer.alloc(100_000)),
  bytes('a gzip', 'not_a_zip', () => Buffer.from('1f8b0800000000000003', 'hex')),
  bytes('the signature of an end alone', 'not_a_zip', () => Buffer.from('PK\x05\x06')),
  bytes('an end without its last byte', 'not_a_zip', () => forge([]).subarray(0, 21)),
  bytes('the first half', 'not_a_zip', () => whole.subarray(0, whole.length / 2)),
  bytes('all but the last 22 bytes', 'not_a_zip', () => whole.subarray(0, -22)),
  ended('the second disk of two', 'not_a_zip', { disk: 1 }),
  ended('entries on another disk', 'not_a_zip', { entriesOnDisk: 1 }),
  ended('a zip64 disk', 'not_a_zip', { zip64: { disk: 1 } }),
  bytes('a header outside of the file', 'not_a_zip', () =>
    forgeWith({ ...file, name: 'a', offset: 1_000_000 }),
  ),
  bytes('a header that is none', 'not_a_zip', () => forgeWith({ ...file, name: 'a', offset: 3 })),
  bytes('data outside of the file', 'not_a_zip', () =>
    forgeWith({ ...file, name: 'a', compressedSize: 1_000_000, size: 1_000_000 }),
  ),
  bytes('an extra field that is longer than itself', 'not_a_zip', () =>
    forgeWith({ ...file, name: 'a', extra: pack([1, 2], [500, 2]) }),
  ),
  bytes('an offset of a petabyte', 'not_a_zip', () =>
    forgeWith({
      ...file,
      name: 'a',
      central: { offset: 0xffff_ffff, extra: extraField(1, pack([2n ** 50n, 8])) },
    }),
  ),
]

export const STRAY_BYTES: readonly HostileCase[] = [
  ended('bytes before', 'ambiguous', { prefix: junk }),
  ended('a program before', 'ambiguous', { prefix: junk, ignorePrefix: true }),
  ended('bytes before the directory', 'ambiguous', { beforeDirectory: junk }),
  ended('bytes after the directory', 'ambiguous', { afterDirectory: junk }),
  ended('bytes after the end', 'ambiguous', { suffix: junk }),
  ended('one byte after the end', 'ambiguous', { suffix: Buffer.from('\n') }),
  bytes('bytes between entries', 'ambiguous', () => forge([{ ...file, gap: junk }, metadataEntry()])),
  bytes('an entry that the directory does not name', 'ambiguous', () =>
    forge([metadataEntry(), { ...file, gap: whole.subarray(0, 60) }]),
  ),
  ended('a second archive in the comment', 'ambiguous', { comment: whole }),
  ended('an empty archive in the comment', 'ambiguous', { comment: forge([]) }),
  bytes('an archive behind an archive', 'ambiguous', () => Buffer.concat([whole, whole])),
  bytes('an end in stored data that reaches the end of the file', 'ambiguous', () => {
    const make = (commentLength: number) =>
      forge([metadataEntry(), { name: 'plugins/x', data: forge([], { commentLength }), method: 0 }])
    return make(make(0).length - make(0).indexOf('PK\x05\x06') - 22)
  }),
  ended('a comment that is longer than it says', 'ambiguous', { comment: junk, commentLength: 3 }),
  ended('a comment that is shorter than it says', 'ambiguous', { comment: junk, commentLength: 300 }),
  ended('fewer entries than there are', 'ambiguous', { entryCount: 1 }),
  ended('no entries', 'ambiguous', { entryCount: 0 }),
  bytes('an entry in the directory beyond those it counts', 'ambiguous', () =>
    forge([...files, { name: 'plugins/b', directoryOnly: true }], { entryCount: 2 }),
  ),
  ended('more entries than there are', 'not_a_zip', { entryCount: 3 }),
  ended('a directory that begins too early', 'ambiguous', { directoryStart: 0 }),
  ended('a directory that begins too late', 'ambiguous', { directoryStart: 5000 }),
  ended('a directory that is too small', 'ambiguous', { directorySize: 46 }),
  ended('a directory that is too large', 'ambiguous', { directorySize: 0xffff_0000 }),
]

export const ZIP64_TRICKS: readonly HostileCase[] = [
  ended('a zip64 end that names fewer entries', 'ambiguous', { zip64: { entryCount: 1n } }),
  ended('a zip64 end that names fewer entries than the plain one', 'ambiguous', {
    zip64: { entryCount: 1n, keepPlain: true },
  }),
  ended('another directory in the zip64 end', 'ambiguous', { zip64: { directoryStart: 1n } }),
  ended('another directory in the zip64 end than in the plain one', 'ambiguous', {
    zip64: { directoryStart: 1n, keepPlain: true },
  }),
  ended('a directory above 2^53', 'ambiguous', { zip64: { directoryStart: 2n ** 63n } }),
  ended('a directory size above 2^53', 'ambiguous', { zip64: { directorySize: 2n ** 64n - 1n } }),
  ended('fewer entries in the plain end than in the zip64 one', 'ambiguous', {
    zip64: {},
    entryCount: 1,
  }),
  ended('another start in the plain end than in the zip64 one', 'ambiguous', {
    zip64: {},
    directoryStart: 7,
  }),
  ended('another size in the plain end than in the zip64 one', 'ambiguous', {
    zip64: {},
    directorySize: 7,
  }),
  ended('a zip64 end elsewhere', 'ambiguous', { zip64: { recordStart: 0n } }),
  ended('a zip64 end above 2^53', 'ambiguous', { zip64: { recordStart: 2n ** 63n } }),
  ended('a zip64 end of another length', 'ambiguous', { zip64: { recordSize: 1000n } }),
  ended('a zip64 end that is none', 'ambiguous', { zip64: { signature: 0 } }),
  ended('entries beyond counting', 'too_many_entries', { zip64: { entryCount: 2n ** 40n } }),
  bytes('a zip64 field that contradicts the header', 'ambiguous', () =>
    forgeWith({ ...file, name: 'a', central: { extra: extraField(1, pack([1, 8], [1, 8])) } }),
  ),
  bytes('two zip64 fields', 'ambiguous', () => {
    const field = extraField(1, pack([12, 8]))
    return forgeWith({
      ...file,
      name: 'a',
      central: { size: 0xffff_ffff, extra: Buffer.concat([field, field]) },
    })
  }),
  bytes('a zip64 field that is too short', 'not_a_zip', () =>
    forgeWith({ ...file, name: 'a', central: { size: 0xffff_ffff, extra: extraField(1, pack([12, 4])) } }),
  ),
  bytes('a size that is missing and never given', 'size_mismatch', () =>
    forgeWith({ ...file, name: 'a', central: { size: 0xffff_ffff } }),
  ),
  bytes('another size in the local zip64 field', 'size_mismatch', () =>
    forgeWith({ ...file, name: 'a', local: { size: 0xffff_ffff, extra: extraField(1, pack([999, 8])) } }),
  ),
  bytes('an offset above 2^53', 'ambiguous', () =>
    forgeWith({
      ...file,
      name: 'a',
      central: { offset: 0xffff_ffff, extra: extraField(1, pack([0xffff_ffff_ffff_fff0n, 8])) },
    }),
  ),
]
