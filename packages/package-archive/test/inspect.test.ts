import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type ArchiveRefused, type InspectOptions, inspectArchive } from '../src/index.ts'
import { type ForgedEntry, forge } from './hostile/zip-writer.ts'
import { forgeWith, IDENTIFIER, metadataEntry, sampleMetadata, samplePng, sampleVersion } from './sample.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

async function inspect(archive: Buffer, options?: InspectOptions) {
  await using folder = await makeTemporaryFolder()
  return await inspectArchive(await folder.write('a.zip', archive), options)
}

async function refusalOf(archive: Buffer, options?: InspectOptions): Promise<ArchiveRefused> {
  return await inspect(archive, options).then(
    () => expect.unreachable('it was accepted'),
    (error: unknown) => error as ArchiveRefused,
  )
}

test('[A-220] hashes and sizes are those of the bytes, and only installable files count', async () => {
  const archive = forge([
    metadataEntry(),
    { name: 'symbols/b.lib', data: 'bbb' },
    { name: 'plugins/', attributes: 0x10 },
    { name: 'plugins/a.py', data: 'aa' },
    { name: 'README.md', data: 'not installed' },
    { name: 'plugins/empty' },
  ])
  const inspection = await inspect(archive)
  expect(inspection).toMatchObject({
    metadata: { identifier: IDENTIFIER },
    sha256: sha256(archive),
    size: archive.length,
    installSize: 5,
    files: [
      { path: 'plugins/a.py', size: 2, sha256: sha256('aa') },
      { path: 'plugins/empty', size: 0, sha256: sha256('') },
      { path: 'symbols/b.lib', size: 3, sha256: sha256('bbb') },
    ],
    warnings: [],
  })
  expect(inspection).not.toHaveProperty('icon')
})

test('[A-221] without metadata at the root it says so', async () => {
  expect(await refusalOf(forge([]))).toMatchObject({ reason: 'metadata_missing' })
  expect(await refusalOf(forge([{ name: 'plugins/a.py', data: 'x' }]))).toMatchObject({
    reason: 'metadata_missing',
    message: expect.stringContaining('no metadata.json at its root'),
  })
  expect(await refusalOf(forge([{ name: 'metadata.json/' }]))).toMatchObject({ reason: 'metadata_missing' })
})

test('[A-221] a folder that was packed as a whole is named', async () => {
  const inFolder = (entry: ForgedEntry) => ({ ...entry, name: `blinky-1.0/${String(entry.name)}` })
  const nested = [metadataEntry(), { name: 'plugins/a.py', data: 'x' }].map(inFolder)
  expect(await refusalOf(forge(nested))).toMatchObject({
    reason: 'metadata_nested',
    entry: 'blinky-1.0/metadata.json',
    message: expect.stringContaining('everything inside folder "blinky-1.0". Pack the folder\'s content'),
  })
  expect(await refusalOf(forge([...nested, { name: 'plugins/b.py', data: 'x' }]))).toMatchObject({
    reason: 'metadata_nested',
    message: expect.stringContaining('Put it at the root'),
  })
})

test.each([
  ['no JSON', '{"name": '],
  ['no object', '[]'],
  ['a list of packages', JSON.stringify({ packages: [sampleMetadata()] })],
  [
    'a repository',
    JSON.stringify({ name: 'r', packages: { url: 'https://example.com/p', update_timestamp: 1 } }),
  ],
  ['an unknown license', JSON.stringify(sampleMetadata({ license: 'mit' }))],
  ['no versions', JSON.stringify({ ...sampleMetadata(), versions: undefined })],
  ['a key that is there twice', JSON.stringify(sampleMetadata()).replace('{', '{"name":"Other",')],
])('[A-222] metadata that is not a valid package is refused with findings: %s', async (_title, data) => {
  const refusal = await refusalOf(forge([{ name: 'metadata.json', data }]))
  expect(refusal).toMatchObject({ reason: 'metadata_invalid', entry: 'metadata.json' })
  expect(refusal.message).toMatch(/^metadata\.json is /)
  expect(refusal.findings).toBeInstanceOf(Array)
})

test('[A-222] findings say where, for a person and for a program', async () => {
  const refusal = await refusalOf(forge([metadataEntry(sampleMetadata({ license: 'mit' }))]))
  expect(refusal.findings).toMatchObject([{ pointer: '/license', severity: 'error', line: 1 }])
})

test('[A-222] metadata in another encoding or beyond its limit is refused', async () => {
  const latin1 = Buffer.from(JSON.stringify(sampleMetadata({ name: 'Blinkgerät' })), 'latin1')
  expect(await refusalOf(forge([{ name: 'metadata.json', data: latin1 }]))).toMatchObject({
    reason: 'metadata_invalid',
    message: expect.stringContaining('UTF-8'),
  })
  expect(await refusalOf(forgeWith(), { limits: { maxMetadataBytes: 100 } })).toMatchObject({
    reason: 'too_large',
    entry: 'metadata.json',
  })
})

test('[A-222] a byte order mark is no fault', async () => {
  const data = `\ufeff${JSON.stringify(sampleMetadata())}`
  const { metadata } = await inspect(forge([{ name: 'metadata.json', data }]))
  expect(metadata.identifier).toBe(IDENTIFIER)
})

test.each([
  ['none', []],
  ['two', [sampleVersion(), sampleVersion({ version: '2.0' })]],
])('[A-223] other than exactly one version is refused: %s', async (_title, versions) => {
  const refusal = await refusalOf(forge([metadataEntry(sampleMetadata({ versions }))]))
  expect(refusal).toMatchObject({
    reason: 'metadata_versions',
    message: expect.stringContaining('one version'),
  })
})

test.each([
  ['download_url', 'https://example.com/a.zip'],
  ['download_sha256', 'a'.repeat(64)],
  ['download_size', 12],
  ['download_mirror', null],
])('[A-223] a download field is refused: %s', async (field, value) => {
  const versions = [sampleVersion({ [field]: value })]
  const refusal = await refusalOf(forge([metadataEntry(sampleMetadata({ versions }))]))
  expect(refusal).toMatchObject({
    reason: 'metadata_download_fields',
    message: expect.stringContaining(field),
  })
})

test('[A-224] any given brand and the neutral spelling are read, another brand is not', async () => {
  const versions = [{ version: '1.0.0', status: 'stable', kicad_version: '8.0' }]
  const branded = forge([metadataEntry(sampleMetadata({ versions }))])
  for (const options of [{ brand: 'kicad' }, { brands: ['other', 'kicad'] }]) {
    const { metadata, rawMetadata } = await inspect(branded, options)
    expect(metadata.versions[0]).toMatchObject({ tool_version: '8.0' })
    expect(rawMetadata).toMatchObject({ versions })
    expect((await inspect(forgeWith(), options)).metadata.versions[0]).toMatchObject({ tool_version: '8.0' })
  }
  expect(await refusalOf(branded)).toMatchObject({ reason: 'metadata_invalid' })
})

test('[A-225] the icon is a PNG at its place', async () => {
  const icon = samplePng()
  const inspection = await inspect(forgeWith({ name: 'resources/icon.png', data: icon }))
  expect(inspection.icon).toEqual(icon)
  expect(inspection.warnings).toEqual([])
})

test.each([
  ['is not a PNG', Buffer.from('\xff\xd8\xff\xe0 a JPEG with another name, long enough', 'latin1')],
  ['is not a PNG', Buffer.alloc(0)],
  ['is 0 × 64 pixels large', samplePng(0, 64)],
  ['is 64 × 40000 pixels large', samplePng(64, 40_000)],
  ['has 2045 bytes', samplePng(64, 64, 2000)],
])('[A-225] what is no icon is none, and a warning says why: %s', async (why, data) => {
  const archive = forgeWith({ name: 'resources/icon.png', data })
  const inspection = await inspect(archive, { limits: { maxIconBytes: 2000 } })
  expect(inspection).not.toHaveProperty('icon')
  expect(inspection.warnings).toEqual([expect.stringContaining(`resources/icon.png ${why}`)])
})

test('[A-226] what is not installed is said', async () => {
  const others = Array.from({ length: 7 }, (_, index) => ({ name: `src/${index}.py`, data: 'x' }))
  const { warnings } = await inspect(forge([metadataEntry(), { name: 'LICENSE', data: 'MIT' }, ...others]))
  expect(warnings).toEqual([
    expect.stringContaining('Nothing in the archive is installed'),
    expect.stringContaining('"src/4.py" and 2 more'),
  ])
})

test('[A-206] a folder is no archive, and a missing file is an error of the file system', async () => {
  await using folder = await makeTemporaryFolder()
  await mkdir(folder.at('sub'))
  await expect(inspectArchive(folder.at('sub'))).rejects.toMatchObject({ reason: 'not_a_zip' })
  await expect(inspectArchive(folder.at('none.zip'))).rejects.toMatchObject({ code: 'ENOENT' })
})
