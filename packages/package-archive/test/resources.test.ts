import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ArchiveRefused, readResourcesIcons, writeResourcesZip } from '../src/index.ts'
import { bombEntry } from './hostile/bomb-cases.ts'
import { forge } from './hostile/zip-writer.ts'
import { samplePng } from './sample.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const icon = samplePng()

test('[A-241] icons are read by identifier, and what is no icon is passed over', async () => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write(
    'resources.zip',
    forge([
      { name: 'com.example.a/' },
      { name: 'com.example.a/icon.png', data: icon },
      { name: 'com.example.b/icon.png', data: icon, method: 0 },
      { name: 'com.example.c/icon.png', data: 'a JPEG' },
      { name: 'com.example.d/icon.png', data: samplePng(64, 64, 2 ** 20), method: 0 },
      { name: 'com.example.e/icon.png/' },
      { name: 'com.example.f/icon.svg', data: icon },
      { name: 'resources/com.example.g/icon.png', data: icon },
      { name: '-/icon.png', data: icon },
    ]),
  )
  const icons = await readResourcesIcons(file)
  expect([...icons]).toEqual([
    ['com.example.a', icon],
    ['com.example.b', icon],
  ])
})

test.each([
  ['traversal', { name: '../com.example.a/icon.png', data: icon }],
  ['crc_mismatch', { name: 'com.example.a/icon.png', data: icon, crc: 1 }],
  ['symlink', { name: 'com.example.a/icon.png', data: '/etc/passwd', attributes: 0xa1ff0000 }],
  ['bomb_ratio', bombEntry('com.example.a/icon.png')],
])('[A-241] a hostile archive of icons is refused: %s', async (reason, entry) => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write(
    'resources.zip',
    forge([{ name: 'com.example.b/icon.png', data: icon }, entry]),
  )
  await expect(readResourcesIcons(file)).rejects.toMatchObject({ reason })
  await expect(readResourcesIcons(file)).rejects.toBeInstanceOf(ArchiveRefused)
})

test('[A-242] the same icons make the same bytes in any order, and are read again', async () => {
  await using folder = await makeTemporaryFolder()
  const icons = ['com.example.b', 'com.example.a', 'org.Z'].map((identifier, index) => ({
    identifier,
    icon: samplePng(64, index + 1),
  }))
  await writeResourcesZip(icons, folder.at('1.zip'))
  await writeResourcesZip(icons.toReversed().values(), folder.at('2.zip'))
  expect(await readFile(folder.at('2.zip'))).toEqual(await readFile(folder.at('1.zip')))
  const read = await readResourcesIcons(folder.at('1.zip'))
  expect([...read.keys()]).toEqual(['com.example.a', 'com.example.b', 'org.Z'])
  expect(read.get('org.Z')).toEqual(samplePng(64, 3))
})

test('[A-242] no icons make an archive without entries', async () => {
  await using folder = await makeTemporaryFolder()
  await writeResourcesZip([], folder.at('1.zip'))
  expect(await readResourcesIcons(folder.at('1.zip'))).toEqual(new Map())
})

test.each([
  ['no identifier', [{ identifier: '../x', icon }]],
  ['no PNG', [{ identifier: 'com.example.a', icon: Buffer.from('x') }]],
  [
    'one twice',
    [
      { identifier: 'com.example.a', icon },
      { identifier: 'com.example.a', icon },
    ],
  ],
  [
    'two that collide',
    [
      { identifier: 'com.example.a', icon },
      { identifier: 'com.example.A', icon },
    ],
  ],
])('[A-242] what cannot be an archive of icons is a TypeError: %s', async (_title, icons) => {
  await using folder = await makeTemporaryFolder()
  await expect(writeResourcesZip(icons, folder.at('1.zip'))).rejects.toThrow(TypeError)
})

/** As the archivers of strangers write them: with and without folders, stored and deflated, of Unix and of Windows. */
const STRANGERS: readonly (readonly [string, readonly string[], Buffer])[] = [
  [
    'folders of Unix, modes and times in extra fields, data descriptors',
    ['com.example.a'],
    forge([
      { name: 'com.example.a/', madeBy: 0x031e, attributes: 0x41fd0010, extra: timesOfUnix() },
      {
        name: 'com.example.a/icon.png',
        data: icon,
        madeBy: 0x0314,
        attributes: 0x81a40000,
        extra: timesOfUnix(),
        flags: 8,
        descriptor: 16,
      },
    ]),
  ],
  [
    'folders of Windows, stored, several packages',
    ['com.Example.Big-Library', 'com.example.a', 'vn.example.b'],
    forge(
      ['com.Example.Big-Library', 'com.example.a', 'vn.example.b'].flatMap((name) => [
        { name: `${name}/`, madeBy: 63, attributes: 0x810 },
        { name: `${name}/icon.png`, data: icon, method: 0, madeBy: 63, attributes: 0x820 },
      ]),
    ),
  ],
  ['no folders at all', ['com.example.a'], forge([{ name: 'com.example.a/icon.png', data: icon, flags: 2 }])],
  [
    'icons in a folder more, where no tool finds them',
    [],
    forge([
      { name: 'resources/', attributes: 0x41ed0000, madeBy: 0x0314 },
      { name: 'resources/com.example.a/icon.png', data: icon },
    ]),
  ],
]

function timesOfUnix(): Buffer {
  const field = Buffer.alloc(9)
  field.write('UT', 'latin1')
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(1_760_000_000, 5)
  return field
}

test.each(STRANGERS)(
  '[A-243] an archive of icons as strangers make it is read: %s',
  async (_, names, bytes) => {
    await using folder = await makeTemporaryFolder()
    const icons = await readResourcesIcons(await folder.write('resources.zip', bytes))
    expect([...icons.keys()].toSorted()).toEqual(names)
    for (const read of icons.values()) expect(read).toEqual(icon)
  },
)

const data = fileURLToPath(new URL('../../../../shared/data/pcm', import.meta.url))

test.skipIf(!existsSync(data))(
  '[A-243] resources archives of public repositories are read (skipped without ../shared/data/pcm)',
  async () => {
    const counts: Record<string, number> = {}
    for await (const file of glob(`${data}/*/resources.zip`)) {
      const icons = await readResourcesIcons(file)
      counts[basename(dirname(file))] = icons.size
    }
    // One repository has its icons in a folder more, where no tool finds them.
    expect(counts['0xCB-dev_0xCB-PCM']).toBe(0)
    expect(counts['harry10086_kicad-repository']).toBe(5)
    expect(Object.values(counts).filter((count) => count > 0).length).toBeGreaterThanOrEqual(7)
  },
)
