import type { PackagePage } from '@patchbay/contracts/registry'
import { expect, test } from 'vitest'
import { findPackage, findVersions } from '../../src/packages/package.store.ts'
import { findSummaries } from '../../src/packages/summary.store.ts'
import { shownVersion } from '../../src/search/filter.store.ts'
import { createTestAccess, type TestAccess } from '../access.ts'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { seedPackages } from '../seed.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

const PAGE = '/registry/packages/com.example.blinky'

test('[A-30] the page of a package shows its fields, its versions and its feeds', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const described = {
    category: 'Light',
    maintainer: { name: 'Bob', contact: { 'e-mail': 'bob@example.com' } },
  }
  const first = archiveOf({
    version: '1.9',
    package: described,
    versionFields: { runtime: 'ipc', platforms: ['linux'] },
  })
  await ada.publish(first)
  await ada.publish(
    archiveOf({
      version: '1.10',
      versionFields: { version_epoch: 1, status: 'testing', tool_version: '8', tool_version_max: '9.0' },
    }),
  )
  const response = await node.ask(PAGE)
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const page = (await response.json()) as PackagePage
  expect(page).toMatchObject({
    identifier: 'com.example.blinky',
    owner: 'ada',
    visibility: 'public',
    is_listed: true,
    name: 'Blinky',
    type: 'plugin',
    category: 'Light',
    author: { name: 'Ada Lovelace', contact: { web: 'https://example.com/ada' } },
    maintainer: { name: 'Bob', contact: { 'e-mail': 'bob@example.com' } },
    license: 'MIT',
    resources: { homepage: 'https://example.com/blinky' },
    tags: ['led'],
    icon_url: expect.stringMatching(/^http:\/\/patchbay\.localhost\/registry\/icons\/[a-f0-9]{64}\.png$/),
    created_at: '2026-01-01T00:00:00.000Z',
  })
  expect(page.versions.map(({ version, version_epoch, status }) => [version, version_epoch, status])).toEqual(
    [
      ['1.10', 1, 'testing'],
      ['1.9', 0, 'stable'],
    ],
  )
  expect(
    page.versions.map((each) => [each.tool_version, each.tool_version_max, each.platforms, each.runtime]),
  ).toEqual([
    ['8', '9.0', [], 'swig'],
    ['8.0', null, ['linux'], 'ipc'],
  ])
  expect(page.versions[1]).toMatchObject({ download_size: first.length, published_by: 'ada' })
  expect(page.feeds).toEqual(
    ['kicad', 'tool'].flatMap((brand) => [
      { brand, url: `http://patchbay.localhost/registry/feeds/${brand}/ada/repository.json` },
      { brand, url: `http://patchbay.localhost/registry/feeds/${brand}/repository.json` },
    ]),
  )
})

test('[A-26] a private package is to everybody who may not read it like one that does not exist', async () => {
  const access = createTestAccess()
  const asked: unknown[] = []
  const recording: TestAccess = {
    ...access,
    isAllowed(...question) {
      asked.push(question.slice(2))
      return access.isAllowed(...question)
    },
  }
  await using node = await startRegistry({ indexer: NO_INDEXER, access: recording })
  await node.as('ada').publish(archiveOf(), { visibility: 'private' })
  access.grant('carl', 'ada', 'read')
  asked.length = 0
  const texts = []
  for (const path of [PAGE, '/registry/packages/com.example.absent']) {
    for (const ask of [node.ask, node.as('bob').ask]) {
      const response = await ask(path)
      texts.push([response.status, await response.text(), response.headers.get('cache-control')])
    }
  }
  expect(new Set(texts.map((text) => JSON.stringify(text))).size).toBe(1)
  expect(texts[0]?.[0]).toBe(404)
  expect(texts[0]?.[1]).toContain('package_not_found')
  expect(asked).toEqual([
    ['com.example.blinky', 'read'],
    ['com.example.absent', 'read'],
  ])
  for (const reader of ['ada', 'carl']) {
    const response = await node.as(reader).ask(PAGE)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await response.json()).toMatchObject({
      visibility: 'private',
      feeds: [
        { url: 'http://patchbay.localhost/registry/feeds/kicad/ada/private/repository.json' },
        { url: 'http://patchbay.localhost/registry/feeds/tool/ada/private/repository.json' },
      ],
    })
  }
})

test('[A-35] the owner’s list has every package, in pages', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(node.db, [
    { identifier: 'b.private', visibility: 'private', versions: [{}, {}] },
    { identifier: 'a.public' },
    { identifier: 'C.delisted', isListed: false },
    { identifier: 'd.of-bob', owner: 'bob' },
  ])
  const pages = []
  for (let query = '?limit=2'; query !== ''; ) {
    const response = await node.as('ada').ask(`/registry/owners/ada/packages${query}`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const page = (await response.json()) as { items: { identifier: string }[]; next_cursor: string | null }
    pages.push(page.items)
    query = page.next_cursor === null ? '' : `?limit=2&cursor=${page.next_cursor}`
  }
  expect(pages).toMatchObject([
    [
      { identifier: 'C.delisted', is_listed: false, versions: 1, latest_version: '1.0' },
      { identifier: 'a.public', visibility: 'public' },
    ],
    [{ identifier: 'b.private', visibility: 'private', versions: 2, name: 'Blinky' }],
  ])
  const cursor = Buffer.from('no identifier').toString('base64url')
  const refused = await node.as('ada').ask(`/registry/owners/ada/packages?cursor=${cursor}`)
  expect([refused.status, await codeOf(refused)]).toEqual([400, 'invalid_request'])
})

test('[A-39] of the kept metadata only what is shown is read', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await seedPackages(node.db, [{ package: { x: 'unknown' }, versions: [{ y: 'unknown' }] }])
  const found = await findPackage(node.db, 'com.example.blinky')
  const [version] = await findVersions(node.db, 'com.example.blinky')
  const [summary] = await findSummaries(node.db, ['com.example.blinky'], shownVersion({}))
  expect(found?.metadata).toMatchObject({ name: 'Blinky', tags: ['led'], maintainer: null })
  expect(version?.metadata).toMatchObject({ tool_version: '8.0', runtime: null })
  expect(JSON.stringify([found, version, summary])).not.toContain('unknown')
})
