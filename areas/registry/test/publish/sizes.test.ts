import { expect, test } from 'vitest'
import { type ArchiveContent, archiveOf, metadataOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

const KIB = 1024
const UNKNOWN = 'unknown_keys_too_large'
const WHOLE = 'metadata_too_large'

test('[A-24] of what publishers add that nobody knows 8 KiB are kept, of everything 64 KiB', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const outcomeOf = async (content: ArchiveContent) => {
    const response = await node.as('ada').publish(archiveOf(content))
    const { code, findings } = (await response.json()) as { code?: string; findings?: { code: string }[] }
    return code === undefined ? response.status : [code, findings?.map((finding) => finding.code)]
  }
  const text = (bytes: number) => 'x'.repeat(bytes)
  const author = { name: 'Ada', contact: {} }
  expect(await outcomeOf({ version: '1', package: { x: text(8 * KIB - 8) } })).toBe(201)
  expect(await outcomeOf({ version: '2', package: { x: text(8 * KIB - 7) } })).toEqual([
    'metadata_invalid',
    [UNKNOWN],
  ])
  for (const content of [
    { versionFields: { junk: text(250_000) } },
    { package: { x: text(5 * KIB) }, versionFields: { y: text(5 * KIB) } },
    { package: { author: { ...author, x: '€'.repeat(3 * KIB) } } },
    { package: { maintainer: { ...author, x: text(9 * KIB) } } },
  ])
    expect(await outcomeOf({ version: '2', ...content })).toEqual([
      'metadata_invalid',
      expect.arrayContaining([UNKNOWN]),
    ])
  const category = (bytes: number): ArchiveContent => ({ version: '3', package: { category: text(bytes) } })
  const rest = 64 * KIB - JSON.stringify(metadataOf(category(0))).length
  expect(await outcomeOf(category(rest + 1))).toEqual(['metadata_invalid', [WHOLE]])
  expect(await outcomeOf(category(rest))).toBe(201)
})

test('[A-28] a package has at most 1,000 versions, with those that were deleted', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(node.db, [{ versions: Array.from({ length: 998 }, () => ({})) }])
  const ada = node.as('ada')
  expect((await ada.publish(archiveOf({ version: '3.9' }))).status).toBe(201)
  const path = '/registry/owners/ada/packages/com.example.blinky/versions/3.9'
  expect((await ada.change('DELETE', path)).status).toBe(204)
  expect((await ada.publish(archiveOf({ version: '2.0' }))).status).toBe(201)
  const more = await ada.publish(archiveOf({ version: '2.1' }))
  expect([more.status, await codeOf(more)]).toEqual([409, 'limit_reached'])
  expect((await ada.publish(archiveOf({ version: '2.0' }))).status).toBe(200)
})

test('[A-37] what is refused leaves nothing in the store', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const stored = async () => (await node.deps.objects.list({ limit: 1_000 })).objects.length
  expect((await node.as('ada').publish(archiveOf())).status).toBe(201)
  const before = await stored()
  node.access.grant('robot', 'ada', 'write', 'com.example.other')
  const refused = [
    await node.as('ada').publish(archiveOf({ code: 'other' })),
    await node.as('ada').publish(archiveOf({ code: 'spelled', version: '1.0' })),
    await node.as('eve').publish(archiveOf({ code: 'stolen', version: '2' })),
    await node.as('ada').publish(archiveOf({ code: 'shouted', identifier: 'COM.example.blinky' })),
    await node.as('robot').publish(archiveOf({ code: 'robot', version: '3' }), { owner: 'ada' }),
  ]
  expect(await Promise.all(refused.map(codeOf))).toEqual([
    'version_exists',
    'version_exists',
    'identifier_taken',
    'identifier_taken',
    'not_permitted',
  ])
  expect(await stored()).toBe(before)
})
