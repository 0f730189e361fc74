import { execFile } from 'node:child_process'
import { symlinkSync, unlinkSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import {
  ARCHIVE_LIMITS,
  type ArchiveRefused,
  extractArchive,
  FolderRefused,
  packFolder,
} from '../src/index.ts'
import { openArchive } from '../src/zip/open-archive.ts'
import { IDENTIFIER, sampleMetadata, sampleVersion } from './sample.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('pack-process.ts', import.meta.url))
const hasUnzip = await run('unzip', ['-v']).then(
  () => true,
  () => false,
)

const FILES: readonly (readonly [path: string, content: string])[] = [
  ['metadata.json', JSON.stringify(sampleMetadata(), null, 2)],
  ['plugins/main.py', 'print("on")\n'],
  ['plugins/lib/größe.py', 'x = 1\n'.repeat(50_000)],
  ['plugins/lib-a.py', ''],
  ['symbols/b.lib', 'b'],
  ['LICENSE', 'MIT'],
]

async function fill(folder: TemporaryFolder, name: string, files = FILES): Promise<string> {
  for (const [path, content] of files) await folder.write(`${name}/${path}`, content)
  return folder.at(name)
}

async function refusalOf(
  folder: TemporaryFolder,
  name: string,
  onProgress: () => void = () => undefined,
): Promise<FolderRefused> {
  return await packFolder(folder.at(name), { out: folder.at('out.zip'), onProgress }).then(
    () => expect.unreachable('it was packed'),
    (error: unknown) => error as FolderRefused,
  )
}

deepTest(
  '[A-234] times, modes, order, umask and time zone leave no trace in the bytes',
  async () => {
    await using folder = await makeTemporaryFolder()
    const first = await fill(folder, 'first')
    const second = await fill(folder, 'second', FILES.toReversed())
    for (const [index, [path]] of FILES.entries()) {
      await chmod(folder.at('second', path), 0o777)
      await utimes(folder.at('second', path), index * 1e8, 1e9 + index * 1e7)
    }
    await packFolder(first, { out: folder.at('1.zip') })
    const elsewhere = [
      ['2.zip', '000', 'Pacific/Kiritimati'],
      ['3.zip', '077', 'America/St_Johns'],
    ] as const
    await Promise.all(
      elsewhere.map(([out, umask, TZ]) =>
        run(process.execPath, [script, second, folder.at(out), umask], { env: { ...process.env, TZ } }),
      ),
    )
    const [one, two, three] = await Promise.all(
      ['1.zip', '2.zip', '3.zip'].map((name) => readFile(folder.at(name))),
    )
    expect(two?.equals(one ?? Buffer.alloc(0))).toBe(true)
    expect(three?.equals(one ?? Buffer.alloc(0))).toBe(true)
  },
  60_000,
)

test('[A-234] entries are in the order of their whole names, which no folder has of itself', async () => {
  await using folder = await makeTemporaryFolder()
  await packFolder(await fill(folder, 'src'), { out: folder.at('out.zip') })
  await using archive = await openArchive(folder.at('out.zip'), ARCHIVE_LIMITS)
  expect(archive.entries.map(({ path }) => path)).toEqual(FILES.map(([path]) => path).toSorted())
})

test('[A-234] names in either Unicode form make the same bytes', async () => {
  await using folder = await makeTemporaryFolder()
  const names = ['plugins/größe/é.py', 'plugins/größe.py']
  for (const form of ['NFC', 'NFD'] as const) {
    await folder.write(`${form}/metadata.json`, JSON.stringify(sampleMetadata()))
    for (const name of names) await folder.write(`${form}/${name.normalize(form)}`, name)
  }
  const composed = await packFolder(folder.at('NFC'), { out: folder.at('1.zip') })
  const decomposed = await packFolder(folder.at('NFD'), { out: folder.at('2.zip') })
  expect(decomposed.sha256).toBe(composed.sha256)
  expect(decomposed.files.map(({ path }) => path)).toEqual(names.toSorted())
})

test('[A-235] leftovers and what is not installed are left out and listed', async () => {
  await using folder = await makeTemporaryFolder()
  await fill(folder, 'src')
  const leftovers = [
    'plugins/a.py~',
    'plugins/#a.py#',
    'plugins/a.swp',
    'plugins/Thumbs.db',
    'plugins/a.orig',
  ]
  const others = [
    '.git/config',
    'plugins/.DS_Store',
    'plugins/__pycache__/a.pyc',
    'README.md',
    'docs/a.md',
    'old.zip',
  ]
  for (const path of [...leftovers, ...others]) await folder.write(`src/${path}`, 'x')
  const { leftOut, files, warnings } = await packFolder(folder.at('src'), {
    out: folder.at('src', 'new.zip'),
  })
  expect(leftOut).toEqual(
    [
      ...leftovers.map((path) => ({ path, why: 'leftover' })),
      { path: '.git/', why: 'hidden' },
      { path: 'plugins/.DS_Store', why: 'hidden' },
      { path: 'plugins/__pycache__/', why: 'leftover' },
      { path: 'README.md', why: 'not_installed' },
      { path: 'docs/', why: 'not_installed' },
      { path: 'old.zip', why: 'not_installed' },
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  )
  expect(files.map(({ path }) => path)).toEqual([
    'plugins/lib-a.py',
    'plugins/lib/größe.py',
    'plugins/main.py',
    'symbols/b.lib',
  ])
  expect(warnings).toEqual([])
})

test('[A-235] an older archive inside the folder is not packed into the new one', async () => {
  await using folder = await makeTemporaryFolder()
  const source = await fill(folder, 'src')
  const out = folder.at('src', 'plugins', 'out.zip')
  const first = await packFolder(source, { out })
  const second = await packFolder(source, { out })
  expect(second.sha256).toBe(first.sha256)
  expect(second.leftOut).toEqual([{ path: 'plugins/out.zip', why: 'not_installed' }])
})

test.each<[string, string, string, (at: (path: string) => string) => Promise<unknown>]>([
  ['a link to a file', 'link', 'plugins/link', (at) => symlink('/etc/passwd', at('plugins/link'))],
  ['a link to a folder', 'link', 'plugins/dir', (at) => symlink('/etc', at('plugins/dir'))],
  ['a link in place of a known folder', 'link', 'colors', (at) => symlink('/etc', at('colors'))],
  ['a pipe', 'special_file', 'plugins/pipe', (at) => run('mkfifo', [at('plugins/pipe')])],
  ['a device name', 'hostile_name', 'plugins/nul.py', (at) => writeFile(at('plugins/nul.py'), '')],
  ['a backslash', 'hostile_name', 'plugins/a\\b', (at) => writeFile(at('plugins/a\\b'), '')],
  ['a name that collides', 'hostile_name', 'plugins/', (at) => writeFile(at('plugins/MAIN.py'), '')],
  ['a trailing blank', 'hostile_name', 'plugins/a ', (at) => writeFile(at('plugins/a '), '')],
])(
  '[A-236] what could not be extracted elsewhere is refused by name: %s',
  async (_title, reason, path, plant) => {
    await using folder = await makeTemporaryFolder()
    await fill(folder, 'src')
    await plant((name) => folder.at('src', name))
    const refusal = await refusalOf(folder, 'src')
    expect(refusal).toBeInstanceOf(FolderRefused)
    expect(refusal.reason).toBe(reason)
    expect(refusal.path).toContain(path)
    expect(await readdir(folder.path)).toEqual(['src'])
  },
)

test('[A-236] a folder without anything to install, and a file, are refused', async () => {
  await using folder = await makeTemporaryFolder()
  await fill(folder, 'src', FILES.slice(0, 1))
  await mkdir(folder.at('src', 'plugins'))
  expect(await refusalOf(folder, 'src')).toMatchObject({ reason: 'nothing_to_install' })
  expect(await refusalOf(folder, 'src/metadata.json')).toMatchObject({ reason: 'not_a_folder' })
})

test.each([
  ['metadata_missing', undefined],
  ['metadata_invalid', sampleMetadata({ license: 'mit' })],
  ['metadata_versions', sampleMetadata({ versions: [] })],
  ['metadata_download_fields', sampleMetadata({ versions: [sampleVersion({ download_size: 1 })] })],
  ['too_large', sampleMetadata({ more: 'x'.repeat(300_000) })],
])('[A-237] metadata is checked before anything is written: %s', async (reason, metadata) => {
  await using folder = await makeTemporaryFolder()
  await fill(folder, 'src', FILES.slice(1))
  if (metadata !== undefined) await folder.write('src/metadata.json', JSON.stringify(metadata))
  let written = 0
  const refusal: unknown = await refusalOf(folder, 'src', () => {
    written += 1
  })
  expect((refusal as ArchiveRefused).reason).toBe(reason)
  expect(written).toBe(0)
  expect(await readdir(folder.path)).toEqual(['src'])
})

test('[A-237] refused metadata comes with its findings', async () => {
  await using folder = await makeTemporaryFolder()
  await fill(folder, 'src', [
    ...FILES.slice(1),
    ['metadata.json', JSON.stringify(sampleMetadata({ license: 'mit' }))],
  ])
  const refusal: unknown = await refusalOf(folder, 'src')
  expect((refusal as ArchiveRefused).findings).toMatchObject([{ pointer: '/license' }])
})

test('[A-238] a failure leaves the older archive and nothing else', async () => {
  await using folder = await makeTemporaryFolder()
  const source = await fill(folder, 'src')
  await folder.write('out.zip', 'older')
  const huge = Buffer.alloc(2 ** 21)
  // It compresses so well that it looks like a bomb, which shows when the archive is inspected.
  await folder.write('src/plugins/zeros', huge)
  await expect(packFolder(source, { out: folder.at('out.zip') })).rejects.toMatchObject({
    reason: 'bomb_ratio',
  })
  expect((await readdir(folder.path)).toSorted()).toEqual(['out.zip', 'src'])
  expect(await readFile(folder.at('out.zip'), 'utf8')).toBe('older')
})

test('[A-238] a file that becomes a link while packing is not followed', async () => {
  await using folder = await makeTemporaryFolder()
  const source = await fill(folder, 'src')
  const last = folder.at('src', 'symbols', 'b.lib')
  let isSwapped = false
  const onProgress = () => {
    if (!isSwapped) unlinkSync(last)
    if (!isSwapped) symlinkSync('/etc/passwd', last)
    isSwapped = true
  }
  const packing = packFolder(source, { out: folder.at('out.zip'), onProgress })
  await expect(packing).rejects.toMatchObject({ code: 'ELOOP' })
  expect(await readdir(folder.path)).toEqual(['src'])
})

test('[A-239] what was packed extracts to the same files', async () => {
  await using folder = await makeTemporaryFolder()
  const source = await fill(folder, 'src')
  const packed = await packFolder(source, { out: folder.at('out.zip') })
  const { files } = await extractArchive(folder.at('out.zip'), {
    into: folder.at('stage'),
    identifier: IDENTIFIER,
  })
  expect(files.map(({ path, size, sha256 }) => ({ path, size, sha256 }))).toEqual(packed.files)
  for (const { path, installedPath } of files)
    expect(await readFile(folder.at('stage', installedPath))).toEqual(await readFile(folder.at('src', path)))
})

test.skipIf(!hasUnzip)('[A-239] Info-ZIP reads it (skipped where `unzip` is not installed)', async () => {
  await using folder = await makeTemporaryFolder()
  await packFolder(await fill(folder, 'src'), { out: folder.at('out.zip') })
  await run('unzip', ['-q', folder.at('out.zip'), '-d', folder.at('stage')])
  for (const [path, content] of FILES) expect(await readFile(folder.at('stage', path), 'utf8')).toBe(content)
})

test('[A-240] progress ends at the size of the packed files', async () => {
  await using folder = await makeTemporaryFolder()
  const source = await fill(folder, 'src')
  const seen: (readonly [number, number])[] = []
  await packFolder(source, {
    out: folder.at('out.zip'),
    onProgress: (bytes, total) => seen.push([bytes, total]),
  })
  const total = FILES.reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0)
  expect(seen.at(-1)).toEqual([total, total])
  expect(seen.length).toBeGreaterThan(4)
})
