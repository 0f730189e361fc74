import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { inspectArchive } from '../src/index.ts'
import { extraField, type ForgedEnd, type ForgedEntry, forge, pack } from './hostile/zip-writer.ts'
import { metadataEntry, sampleMetadata } from './sample.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const hasZip = await run('zip', ['--version']).then(
  () => true,
  () => false,
)

async function pathsOf(archive: Buffer): Promise<string[]> {
  await using folder = await makeTemporaryFolder()
  const { files } = await inspectArchive(await folder.write('a.zip', archive))
  return files.map(({ path }) => path)
}

test('[A-204] names that no system minds are accepted', async () => {
  const names = [
    'plugins/.hidden',
    'plugins/Größe 日本語.py',
    'plugins/a b  c.py',
    'plugins/cafe\u0301.py',
    'plugins/com10.py',
    'plugins/console',
    'plugins/nullable.txt',
    "plugins/it's, [ok] {100%} #1 & ~.txt",
    `plugins/${'a'.repeat(232)}`,
  ]
  const archive = forge([metadataEntry(), ...names.map((name) => ({ name, data: name }))])
  expect(await pathsOf(archive)).toEqual(names.toSorted())
})

const file: ForgedEntry = { name: 'plugins/a.py', data: 'print("on")' }
const zip64Sizes = (size: number, compressed: number) => extraField(1, pack([size, 8], [compressed, 8]))

test.each<[string, readonly ForgedEntry[], ForgedEnd?]>([
  ['stored', [{ ...file, method: 0 }]],
  ['deflated', [file]],
  ['a descriptor', [{ ...file, descriptor: 16 }]],
  ['a descriptor without signature', [{ ...file, descriptor: 12 }]],
  ['a zip64 descriptor', [{ ...file, descriptor: 24 }]],
  ['a zip64 descriptor without signature', [{ ...file, descriptor: 20 }]],
  ['folder entries', [{ name: 'plugins/', attributes: 0x41ed0010 }, file, { name: 'plugins/x/' }]],
  ['a folder entry after its file', [file, { name: 'plugins/' }]],
  [
    'deflated folders, as Java writes them',
    [{ name: 'plugins/', method: 8, raw: Buffer.from([3, 0]) }, file],
  ],
  ['names without the flag for UTF-8', [{ ...file, flags: 0 }]],
  ['a comment', [file], { comment: Buffer.from('3f2a'.repeat(10)) }],
  ['a zip64 end', [file], { zip64: {} }],
  ['a zip64 end beside a plain one', [file], { zip64: { keepPlain: true } }],
  [
    'zip64 sizes in both headers',
    [
      {
        ...file,
        method: 0,
        local: { size: 0xffff_ffff, compressedSize: 0xffff_ffff, extra: zip64Sizes(11, 11) },
        central: { size: 0xffff_ffff, compressedSize: 0xffff_ffff, extra: zip64Sizes(11, 11) },
      },
    ],
  ],
  ['a zip64 field that repeats the header', [{ ...file, method: 0, central: { extra: zip64Sizes(11, 11) } }]],
  [
    'unknown extra fields and comments',
    [{ ...file, extra: extraField(0x5455, Buffer.alloc(5)), comment: Buffer.from('x') }],
  ],
])('[A-214] an ordinary form of zip is read: %s', async (_title, entries, end) => {
  expect(await pathsOf(forge([metadataEntry(), ...entries], end))).toEqual(['plugins/a.py'])
})

test.skipIf(!hasZip)(
  '[A-214] what Info-ZIP writes is read (skipped where `zip` is not installed)',
  async () => {
    await using folder = await makeTemporaryFolder()
    await folder.write('metadata.json', JSON.stringify(sampleMetadata()))
    await folder.write('plugins/ünï.txt', 'x'.repeat(5000))
    for (const options of [['-r'], ['-r', '-0'], ['-r', '-fz'], ['-r', '-fd'], ['-rD']]) {
      const out = folder.at(`${options.join('')}.zip`)
      await run('zip', ['-q', ...options, out, 'metadata.json', 'plugins'], { cwd: folder.path })
      const { files } = await inspectArchive(out)
      expect(files).toMatchObject([{ path: 'plugins/ünï.txt', size: 5000 }])
    }
  },
)
