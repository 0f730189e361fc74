import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import type { ArchiveLimits } from '../../src/index.ts'
import { ARCHIVE_LIMITS } from '../../src/limits.ts'
import { ByteSource } from '../../src/zip/byte-source.ts'
import { InflateBudget, readContent } from '../../src/zip/content.ts'
import { openArchive } from '../../src/zip/open-archive.ts'
import { forgeWith } from '../sample.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'
import { bombEntry, forgeOverlaps } from './bomb-cases.ts'
import { forge } from './zip-writer.ts'

const MIB = 2 ** 20
const MEMORY_BUDGET = 64 * MIB
const script = fileURLToPath(new URL('measure-process.ts', import.meta.url))

interface Cost {
  readonly extracted: string
  readonly inspected: string
  readonly written: number
  readonly grown: number
}

interface Case {
  readonly title: string
  readonly inspected: string
  readonly disk: number
  readonly bytes: () => Buffer
  readonly limits?: Partial<ArchiveLimits>
}

const CASES: readonly Case[] = [
  { title: 'zeros', inspected: 'bomb_ratio', disk: 0, bytes: () => forgeWith(bombEntry('plugins/a')) },
  {
    title: 'zeros that say they are 10 MiB',
    inspected: 'size_mismatch',
    disk: 11 * MIB,
    bytes: () => forgeWith(bombEntry('plugins/a', { size: 10 * MIB })),
  },
  {
    title: 'a directory of 19 MiB',
    inspected: 'not_a_zip',
    disk: 0,
    bytes: () => forge(longDirectory(300), { entryCount: 301 }),
  },
]
const LONG_CASES: readonly Case[] = [
  {
    title: '128 MiB of zeros that are allowed',
    inspected: 'accepted',
    disk: 129 * MIB,
    bytes: () => forgeWith(bombEntry('plugins/a'), bombEntry('symbols/b')),
    limits: { maxRatio: 2000 },
  },
  {
    title: '500 files that quote each other',
    inspected: 'overlap',
    disk: 0,
    bytes: () => forgeOverlaps(500),
  },
  {
    title: '20,000 entries',
    inspected: 'metadata_missing',
    disk: 0,
    bytes: () => forge(Array.from({ length: 20_000 }, (_, index) => ({ name: `docs/${index}` }))),
  },
]

test.each(depth({ common: CASES, deep: [...CASES, ...LONG_CASES] }))(
  '[A-218] memory and disk stay within the budget: $title',
  async ({ inspected, disk, bytes, limits = {} }) => {
    await using folder = await makeTemporaryFolder()
    const file = await folder.write('a.zip', bytes())
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      file,
      folder.at('stage'),
      JSON.stringify(limits),
    ])
    const cost = JSON.parse(stdout) as Cost
    expect(cost.inspected).toBe(inspected)
    expect(cost.grown).toBeLessThan(MEMORY_BUDGET)
    expect(cost.written).toBeLessThanOrEqual(disk)
    const isKept = cost.extracted === 'accepted'
    expect((await readdir(folder.path)).includes('stage')).toBe(isKept)
  },
  60_000,
)

function longDirectory(count: number) {
  const filler = Buffer.alloc(0xffff)
  return Array.from({ length: count }, (_, index) => ({
    name: `plugins/${index}`,
    central: { comment: filler },
  }))
}

test('[A-216] bytes are counted while they inflate, whatever was declared', async () => {
  await using folder = await makeTemporaryFolder()
  const file = await folder.write('a.zip', forgeWith(bombEntry('plugins/a')))
  await using archive = await openArchive(file, { ...ARCHIVE_LIMITS, maxRatio: 2000 })
  await using source = await ByteSource.open(file, MIB)
  const bomb = archive.entries[2]
  if (bomb === undefined) throw new Error('the bomb is missing')
  const inflate = async (limits: Partial<ArchiveLimits>) => {
    let bytes = 0
    const content = readContent(source, bomb, new InflateBudget({ ...ARCHIVE_LIMITS, ...limits }))
    const reason = await Array.fromAsync(content, (chunk) => {
      bytes += chunk.length
    }).then(
      () => 'read',
      (error: unknown) => (error as { reason: string }).reason,
    )
    return { reason, bytes }
  }
  const total = await inflate({ maxRatio: 2000, maxInstallBytes: 3 * MIB })
  const ratio = await inflate({ maxRatio: 20 })
  expect([total.reason, ratio.reason]).toEqual(['bomb_total', 'bomb_ratio'])
  expect(total.bytes).toBeLessThanOrEqual(3 * MIB)
  expect(ratio.bytes).toBeLessThanOrEqual(20 * bomb.compressedSize)
})

test('[A-206] a range that is not in the file is refused before memory is taken for it', async () => {
  await using folder = await makeTemporaryFolder()
  await using source = await ByteSource.open(await folder.write('a.zip', 'twelve bytes'), MIB)
  const ranges = [
    [0, 13],
    [12, 1],
    [0, 2 ** 50],
    [2 ** 60, 10],
    [-1, 2],
    [Number.NaN, 1],
  ] as const
  for (const [start, length] of ranges)
    await expect(source.read(start, length)).rejects.toMatchObject({ reason: 'not_a_zip' })
  expect(String(await source.read(7, 5))).toBe('bytes')
})
