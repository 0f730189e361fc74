import type { Package } from '@patchbay/package-format'
import { expect, test } from 'vitest'
import { packFolder } from '../src/index.ts'
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

test('[A-244] C9: a pattern that cannot be run safely is packed as it is, and told in its place', async () => {
  await using folder = await makeTemporaryFolder()
  const packed = await pack(folder, ['settings', '(?<=a)b'])
  expect(packed).toMatchObject({
    metadata: { keep_on_update: ['settings', '(?<=a)b'] },
    findings: [{ pointer: '/keep_on_update/1', line: 1, severity: 'warning', code: 'unsafe_pattern' }],
    warnings: [],
  })
})

test('[A-244] the lists of package and version are told when they are too long together', async () => {
  await using folder = await makeTemporaryFolder()
  const numbered = (word: string) => Array.from({ length: 60 }, (_, index) => `${word}${index}`)
  expect((await pack(folder, numbered('a'))).findings).toEqual([])
  expect((await pack(folder, [], numbered('b'))).findings).toEqual([])
  const { findings } = await pack(folder, numbered('a'), numbered('b'))
  expect(findings).toHaveLength(20)
  expect(findings[0]).toMatchObject({
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

test('[A-244] patterns that take too long for the packed files are warned of', () => {
  const metadata = sampleMetadata({ keep_on_update: ['settings'] }) as unknown as Package
  const files = ['a', 'b', 'c'].map((name) => ({ path: `plugins/${name}` }))
  let time = 0
  const check = (budgetMs: number) => () =>
    checkKeptFiles(metadata, files, { budgetMs, now: () => (time += 1000) })
  expect(check(60_000)()).toEqual([])
  expect(check(2_000)()).toEqual([expect.stringContaining('takes too long for the 3 files of the package')])
})
