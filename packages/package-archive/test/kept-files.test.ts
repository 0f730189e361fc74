import { readdir } from 'node:fs/promises'
import type { Package } from '@patchbay/package-format'
import { expect, test } from 'vitest'
import { type ArchiveRefused, packFolder } from '../src/index.ts'
import { checkKeptFiles } from '../src/pack/kept-files.ts'
import { sampleMetadata, sampleVersion } from './sample.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

async function pack(folder: TemporaryFolder, own: readonly string[], ofVersion: readonly string[] = []) {
  const versions = [{ ...sampleVersion(), keep_on_update: ofVersion }]
  await folder.write('src/metadata.json', JSON.stringify(sampleMetadata({ keep_on_update: own, versions })))
  await folder.write('src/plugins/main.py', 'print()')
  await folder.write('src/plugins/settings.ini', '')
  return await packFolder(folder.at('src'), { out: folder.at('out.zip') })
}

const refusalOf = (packing: Promise<unknown>) =>
  packing.then(
    () => expect.unreachable('it was packed'),
    (error: unknown) => error as ArchiveRefused,
  )

test('[A-244] a pattern that nobody could use is refused in its place, and nothing is written', async () => {
  await using folder = await makeTemporaryFolder()
  const refused = await refusalOf(pack(folder, ['settings', '(?<=a)b']))
  expect(refused).toMatchObject({
    reason: 'metadata_invalid',
    message: expect.stringMatching(/\/keep_on_update\/1: cannot be used to name files that are kept/),
    findings: [{ pointer: '/keep_on_update/1', line: 1, code: 'unsafe_pattern' }],
  })
  expect(await readdir(folder.at('.'))).toEqual(['src'])
})

test('[A-244] the lists of package and version are refused when they are too long together', async () => {
  await using folder = await makeTemporaryFolder()
  const numbered = (word: string) => Array.from({ length: 60 }, (_, index) => `${word}${index}`)
  expect((await pack(folder, numbered('a'))).warnings).toEqual([])
  expect((await pack(folder, [], numbered('b'))).warnings).toEqual([])
  const { findings } = await refusalOf(pack(folder, numbered('a'), numbered('b')))
  expect(findings).toHaveLength(20)
  expect(findings?.[0]).toMatchObject({
    pointer: '/versions/0/keep_on_update/40',
    message: expect.stringContaining('more than 100 patterns, those of the package included'),
  })
})

test('[A-244] usual patterns pass without a word', async () => {
  await using folder = await makeTemporaryFolder()
  const { warnings } = await pack(folder, ['settings\\.ini$', '^/plugins/.*\\.db$', '^.*\\.log', '^(a|/b)'])
  expect(warnings).toEqual([])
})

test('[A-244] a pattern that no path can match is warned of', async () => {
  await using folder = await makeTemporaryFolder()
  const { warnings } = await pack(folder, ['^settings\\.ini$'])
  expect(warnings).toEqual([
    'keep_on_update "^settings\\\\.ini$" keeps nothing: paths begin as /plugins/com_example_blinky/ does. Leave out the "^", or begin with "^/".',
  ])
})

test('[A-244] patterns that keep every file are warned of', async () => {
  await using folder = await makeTemporaryFolder()
  const { warnings } = await pack(folder, ['\\.ini$'], ['\\.py$'])
  expect(warnings).toEqual([expect.stringContaining('keeps every file of the package')])
})

test('[A-244] patterns that take too long for the packed files are refused', () => {
  const metadata = sampleMetadata({ keep_on_update: ['settings'] }) as unknown as Package
  const files = ['a', 'b', 'c'].map((name) => ({ path: `plugins/${name}` }))
  let time = 0
  const check = (budgetMs: number) => () =>
    checkKeptFiles(metadata, files, { budgetMs, now: () => (time += 1000) })
  expect(check(60_000)()).toEqual([])
  expect(check(2_000)).toThrow(/take too long for the 3 files of the package/)
})
