import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { symlinkSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ARCHIVE_FOLDERS, extractArchive, FolderRefused } from '../src/index.ts'
import { forge } from './hostile/zip-writer.ts'
import { forgeWith, IDENTIFIER, metadataEntry } from './sample.ts'
import { makeTemporaryFolder, snapshot } from './temporary-folder.ts'

const identifier = IDENTIFIER

test('[A-227] files of the known folders go to the folder of the package, and nothing else is written', async () => {
  await using folder = await makeTemporaryFolder()
  const inside = ARCHIVE_FOLDERS.map((name) => ({ name: `${name}/sub/file`, data: name }))
  const outside = ['README', 'Plugins2/x', 'docs/x', '.plugins/x'].map((name) => ({ name, data: 'x' }))
  const file = await folder.write(
    'a.zip',
    forge([metadataEntry(), ...inside, ...outside, { name: 'plugins/empty/' }]),
  )
  await extractArchive(file, { into: folder.at('deep', 'stage'), identifier })
  const names = await readdir(folder.at('deep', 'stage'), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`)
  expect(files.toSorted()).toEqual(
    ARCHIVE_FOLDERS.map((name) =>
      folder.at('deep', 'stage', name, 'com_example_blinky', 'sub', 'file'),
    ).toSorted(),
  )
  expect(await readFile(folder.at('deep/stage/colors/com_example_blinky/sub/file'), 'utf8')).toBe('colors')
  expect(names.map(({ name }) => name)).not.toContain('empty')
})

test('[A-228] the archive has no say in modes', async () => {
  await using folder = await makeTemporaryFolder()
  const modes = [0o104_777, 0o102_755, 0o100_000, 0o100_755]
  const entries = modes.map((mode) => ({
    name: `plugins/${mode}/x`,
    data: 'x',
    attributes: (mode << 16) >>> 0,
  }))
  const file = await folder.write('a.zip', forge([metadataEntry(), ...entries]))
  // A worker thread cannot set the umask; a process of its own can.
  const script = `process.umask(0); const { extractArchive } = await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))});
    await extractArchive(process.argv[1], { into: process.argv[2], identifier: '${identifier}' })`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, file, folder.at('stage')])
  const names = await readdir(folder.at('stage'), { recursive: true })
  const found = await Promise.all(names.map((name) => lstat(folder.at('stage', name))))
  const of = (isKind: (index: number) => boolean) => [
    ...new Set(found.filter((_, index) => isKind(index)).map(({ mode }) => mode & 0o7777)),
  ]
  expect(of((index) => found[index]?.isFile() === true)).toEqual([0o644])
  expect(of((index) => found[index]?.isDirectory() === true)).toEqual([0o755])
  expect(new Set(found.map(({ uid }) => uid))).toEqual(new Set([process.getuid?.()]))
})

test('[A-229] an empty folder is a target; a full one, a file and a link are not', async () => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write('a.zip', forgeWith())
  await mkdir(folder.at('empty'))
  await folder.write('full/mine.txt', 'mine')
  await mkdir(folder.at('elsewhere'))
  await symlink(folder.at('elsewhere'), folder.at('link'))
  const before = await snapshot(folder.at('full'))
  const reasons = ['full', 'full/mine.txt', 'link'].map((name) =>
    extractArchive(file, { into: folder.at(name), identifier }).catch((error: unknown) =>
      error instanceof FolderRefused ? error.reason : error,
    ),
  )
  expect(await Promise.all(reasons)).toEqual(['not_empty', 'not_a_folder', 'link'])
  expect(await snapshot(folder.at('full'))).toEqual(before)
  expect(await readdir(folder.at('elsewhere'))).toEqual([])
  await extractArchive(file, { into: folder.at('empty'), identifier })
  expect(await readdir(folder.at('empty'))).toEqual(['plugins'])
})

test('[A-230] what was written before the refusal is removed, and the given folder stays', async () => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write('a.zip', forgeWith({ name: 'plugins/z', data: 'x', crc: 1 }))
  await mkdir(folder.at('given'))
  const written: number[] = []
  const onProgress = (bytes: number) => written.push(bytes)
  for (const into of ['given', 'made'])
    await expect(
      extractArchive(file, { into: folder.at(into), identifier, onProgress }),
    ).rejects.toMatchObject({
      reason: 'crc_mismatch',
      entry: 'plugins/z',
    })
  expect(written.length).toBeGreaterThan(2)
  expect((await readdir(folder.path)).toSorted()).toEqual(['a.zip', 'given'])
  expect(await readdir(folder.at('given'))).toEqual([])
})

test.each(['symbols', 'plugins/com_example_blinky/z'])(
  '[A-230] what somebody else puts into the target ends the extraction and is not followed: %s',
  async (planted) => {
    await using folder = await makeTemporaryFolder()
    const later = ['plugins/z', 'symbols/x'].map((name) => ({ name, data: 'x' }))
    const file = await folder.write('a.zip', forgeWith(...later))
    await folder.write('elsewhere/mine.txt', 'mine')
    const link = folder.at('stage', planted)
    // The first bytes are of metadata.json, the second of plugins/main.py.
    let calls = 0
    const onProgress = () => {
      calls += 1
      if (calls === 2) symlinkSync(folder.at('elsewhere'), link)
    }
    const extraction = extractArchive(file, { into: folder.at('stage'), identifier, onProgress })
    await expect(extraction).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await readdir(folder.at('elsewhere'))).toEqual(['mine.txt'])
    expect((await readdir(folder.path)).toSorted()).toEqual(['a.zip', 'elsewhere'])
  },
)

test('[A-231] a fault in a file that is not installed refuses the archive as well', async () => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write('a.zip', forgeWith({ name: 'docs/z', data: 'x', crc: 1 }))
  await expect(extractArchive(file, { into: folder.at('stage'), identifier })).rejects.toMatchObject({
    reason: 'crc_mismatch',
    entry: 'docs/z',
  })
})

test('[A-232] the answer says what was written, and progress ends at the whole', async () => {
  await using folder = await makeTemporaryFolder()
  const content = 'print("on")\n'
  const file = await folder.write('a.zip', forgeWith({ name: 'colors/z', data: 'x'.repeat(200_000) }))
  const seen: (readonly [number, number])[] = []
  const { files } = await extractArchive(file, {
    into: folder.at('stage'),
    identifier,
    onProgress: (bytes, total) => seen.push([bytes, total]),
  })
  expect(files).toMatchObject([
    { path: 'colors/z', installedPath: 'colors/com_example_blinky/z', size: 200_000 },
    {
      path: 'plugins/main.py',
      installedPath: 'plugins/com_example_blinky/main.py',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
  ])
  const [bytes, total] = seen.at(-1) ?? []
  expect(bytes).toBe(total)
  expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b))
})

test.each(['', '../x', 'a', 'com/x', 'con', 'com1', 'x'.repeat(101), 'com.x\n'])(
  '[A-233] an identifier that is none is refused before anything is opened: %j',
  async (wrong) => {
    await using folder = await makeTemporaryFolder()
    await expect(
      extractArchive(folder.at('none.zip'), { into: folder.at('stage'), identifier: wrong }),
    ).rejects.toThrow(TypeError)
    expect(await readdir(folder.path)).toEqual([])
  },
)
