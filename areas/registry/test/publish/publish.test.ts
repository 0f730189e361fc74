import { createHash } from 'node:crypto'
import type { PackagePage, Publication } from '@patchbay/contracts/registry'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { archiveOf, ICON } from '../archive.ts'
import { codeOf, readObject } from '../looking.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('[A-1] an uploaded archive becomes a version', async () => {
  await using node = await startRegistry()
  const archive = archiveOf()
  const response = await node.as('ada').publish(archive)
  const hash = sha256(archive)
  expect(response.status).toBe(201)
  expect(await response.json()).toEqual({
    identifier: 'com.example.blinky',
    version: '1.0.0',
    owner: 'ada',
    visibility: 'public',
    download_url: `http://patchbay.localhost/registry/archives/${hash}/com.example.blinky-1.0.0.zip`,
    download_sha256: hash,
    download_size: archive.length,
    install_size: 'print("blink")\n'.length + ICON.length,
    is_indexed: true,
    warnings: [],
  } satisfies Publication)
})

test('[A-2] archive, icon and manifest are stored under their hashes', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const archive = archiveOf()
  await node.as('ada').publish(archive)
  const version = await node.db.selectFrom('package_versions').selectAll().executeTakeFirstOrThrow()
  const { icon_sha256: icon } = await node.db.selectFrom('packages').selectAll().executeTakeFirstOrThrow()
  expect(await readObject(node, version.archive_sha256)).toEqual(Buffer.from(archive))
  expect(await readObject(node, icon ?? '')).toEqual(ICON)
  expect(JSON.parse((await readObject(node, version.manifest_sha256)).toString())).toEqual({
    identifier: 'com.example.blinky',
    version: '1.0.0',
    files: [
      { path: 'plugins/__init__.py', size: 15, sha256: sha256(Buffer.from('print("blink")\n')) },
      { path: 'resources/icon.png', size: ICON.length, sha256: sha256(ICON) },
    ],
  })
})

deepTest('[A-3] a served brand is read and kept in the neutral spelling, with unknown keys', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER, settings: { brands: ['kicad', 'other'] } })
  for (const [index, brand] of ['tool', 'kicad', 'other'].entries()) {
    const archive = archiveOf({
      identifier: `com.example.b${index}`,
      brand,
      package: { $schema: 'https://example.com/s', x_new: { deep: [1] } },
      versionFields: { [`${brand}_version_max`]: '9.0', x_more: true },
    })
    expect([brand, (await node.as('ada').publish(archive)).status]).toEqual([brand, 201])
  }
  const versions = await node.db
    .selectFrom('package_versions')
    .select(['metadata', 'tool_min', 'tool_max'])
    .execute()
  expect(versions).toEqual(
    Array.from({ length: 3 }, () => ({
      metadata: { version: '1.0.0', tool_version: '8.0', tool_version_max: '9.0', x_more: true },
      tool_min: [8, 0, 0],
      tool_max: [9, 0, 999],
    })),
  )
  const { metadata } = await node.db.selectFrom('packages').select('metadata').executeTakeFirstOrThrow()
  expect(metadata).toMatchObject({ $schema: 'https://example.com/s', x_new: { deep: [1] } })
  expect(metadata).not.toHaveProperty('versions')
  const foreign = archiveOf({ identifier: 'com.example.foreign', brand: 'foreign' })
  expect(await codeOf(await node.as('ada').publish(foreign))).toBe('metadata_invalid')
})

test('[A-4] the same bytes again answer 200 and change nothing', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const first = (await (await ada.publish(archiveOf())).json()) as Publication
  const rows = async () => [
    await node.db.selectFrom('packages').selectAll().execute(),
    await node.db.selectFrom('registry_audit').selectAll().execute(),
    await node.db.selectFrom('feeds').select(['owner', 'visibility', 'revision']).execute(),
  ]
  const before = await rows()
  const again = await ada.publish(archiveOf())
  expect(again.status).toBe(200)
  expect(await again.json()).toEqual({ ...first, is_indexed: expect.any(Boolean) })
  expect(await rows()).toEqual(before)
})

test.each([
  ['other bytes', { code: 'print("other")' }],
  ['the version in another spelling', { version: '1.0' }],
  ['another epoch alone', { versionFields: { version_epoch: 1 } }],
  ['another epoch and another spelling', { version: '1.0', versionFields: { version_epoch: 1 } }],
  ['C8: another platform', { versionFields: { platforms: ['windows'] } }],
  ['C8: another runtime', { versionFields: { runtime: 'ipc' } }],
])('[A-5] a published version never changes: %s', async (_, content) => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  expect((await ada.publish(archiveOf())).status).toBe(201)
  const response = await ada.publish(archiveOf(content))
  expect(response.status).toBe(409)
  expect(await response.json()).toMatchObject({
    code: 'version_exists',
    detail: expect.stringMatching(
      /by this text alone.*another platform, runtime or epoch.*Raise the version/,
    ),
  })
})

test('[A-502] C8: every epoch that the format allows is taken, and a higher one is later', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const epochs = [1e300, 2 ** 31, Number.MAX_SAFE_INTEGER, 2 ** 53 + 4]
  for (const [index, version_epoch] of epochs.entries()) {
    const archive = archiveOf({
      version: `${index + 1}.0`,
      versionFields: { version_epoch },
      package: { name: `Blinky ${index}` },
    })
    expect((await ada.publish(archive)).status).toBe(201)
  }
  const page = (await (await node.ask('/registry/packages/com.example.blinky')).json()) as PackagePage
  expect(page.name).toBe('Blinky 0')
  expect(page.versions.map(({ version, version_epoch }) => [version, version_epoch])).toEqual([
    ['1.0', 1e300],
    ['4.0', 2 ** 53 + 4],
    ['3.0', Number.MAX_SAFE_INTEGER],
    ['2.0', 2 ** 31],
  ])
})

test('[A-6] an identifier belongs to the owner who published it first, whatever the case', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await node.as('ada').publish(archiveOf(), { visibility: 'private' })
  const later = archiveOf({ version: '2.0.0' })
  expect(await codeOf(await node.as('bob').publish(later))).toBe('identifier_taken')
  const shouted = archiveOf({ version: '2.0.0', identifier: 'com.example.BLINKY' })
  expect(await codeOf(await node.as('bob').publish(shouted))).toBe('identifier_taken')
  expect(await codeOf(await node.as('ada').publish(shouted))).toBe('identifier_taken')
  node.access.grant('ada', 'acme', 'write')
  expect(await codeOf(await node.as('ada').publish(later, { owner: 'acme' }))).toBe('identifier_taken')
})

test('[A-6] the locale of the database has no say in the case of letters', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const { rows } = await sql<{ expression: string }>`
    select generation_expression as expression from information_schema.columns
    where table_name = 'packages' and column_name = 'folded_identifier'`.execute(node.db)
  // A locale such as the Turkish one would fold "I" to a letter that is not "i".
  expect(rows).toEqual([{ expression: expect.stringContaining('COLLATE "C"') }])
})

test('[A-7] visibility counts for the first version alone', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  await ada.publish(archiveOf(), { visibility: 'private' })
  const second = await ada.publish(archiveOf({ version: '2.0.0' }), { visibility: 'public' })
  expect(await second.json()).toMatchObject({ visibility: 'private' })
  expect((await node.ask('/registry/packages/com.example.blinky')).status).toBe(404)
})

test('[A-8] R1: the fields of a package are those of its latest stable version, in whatever order they come', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const shown = async () => {
    const row = await node.db.selectFrom('packages').selectAll().executeTakeFirstOrThrow()
    return [row.name, row.metadata['license'], row.icon_sha256 !== null]
  }
  const publish = async (
    version: string,
    status: string,
    name: string,
    license: string,
    icon?: Uint8Array,
  ) => {
    const content = { version, package: { name, license }, versionFields: { status }, icon }
    expect((await ada.publish(archiveOf(content))).status).toBe(201)
    return await shown()
  }
  expect(await publish('5.0', 'development', 'Five', 'MIT', ICON)).toEqual(['Five', 'MIT', true])
  expect(await publish('4.0', 'testing', 'Four', 'MIT')).toEqual(['Four', 'MIT', false])
  expect(await publish('1.9', 'stable', 'Nine', 'MIT', ICON)).toEqual(['Nine', 'MIT', true])
  expect(await publish('1.10', 'stable', 'Ten', 'MIT')).toEqual(['Ten', 'MIT', false])
  expect(await publish('1.2', 'stable', 'Two', 'MIT', ICON)).toEqual(['Ten', 'MIT', false])
  expect(await publish('99.0', 'development', 'Slip', 'GPL-3.0', ICON)).toEqual(['Ten', 'MIT', false])
  const deprecate = (version: string) =>
    ada.change('PATCH', `/registry/owners/ada/packages/com.example.blinky/versions/${version}`, {
      status: 'deprecated',
    })
  await deprecate('1.10')
  expect(await shown()).toEqual(['Nine', 'MIT', true])
})

test('[A-510] R1: a package keeps its type, and the refusal leaves nothing behind', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  await ada.publish(archiveOf())
  const slip = archiveOf({
    version: '99.0',
    package: { type: 'library' },
    versionFields: { status: 'development' },
  })
  const refused = await ada.publish(slip)
  expect([refused.status, await codeOf(refused)]).toEqual([409, 'type_change_refused'])
  const versions = await node.db.selectFrom('package_versions').select('version').execute()
  expect(versions).toEqual([{ version: '1.0.0' }])
})

test('[A-19] warnings of the examination are in the answer', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const response = await node.as('ada').publish(archiveOf({ icon: Buffer.from('no picture') }))
  expect(response.status).toBe(201)
  const { warnings } = (await response.json()) as Publication
  expect(warnings).toContainEqual({ pointer: '', message: expect.stringContaining('icon.png') })
})
