import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Publication } from '@patchbay/contracts/registry'
import { expect, test } from 'vitest'
import { archiveOf, metadataOf, zipOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import {
  migratedDatabase,
  NO_INDEXER,
  type RegistryNode,
  startRegistry,
  startRegistryNode,
  temporaryFolder,
} from '../start.ts'

const spooled = ({ deps }: RegistryNode) => readdir(deps.settings.spoolFolder)
const versionsOf = ({ db }: RegistryNode) => db.selectFrom('package_versions').select('version').execute()

interface Refusal {
  readonly code: string
  readonly reason?: string
  readonly entry?: string
  readonly findings?: readonly { readonly pointer: string; readonly code: string }[]
}

test('[A-9] an archive that is not one, or not safe, is refused with reason and entry', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const refuse = async (archive: Uint8Array) => {
    const response = await node.as('ada').publish(archive)
    const { code, reason, entry } = (await response.json()) as Refusal
    return [response.status, code, reason, entry]
  }
  expect(await refuse(Buffer.from('no zip'))).toEqual([422, 'archive_refused', 'not_a_zip', undefined])
  expect(await refuse(new Uint8Array())).toEqual([422, 'archive_refused', 'not_a_zip', undefined])
  const metadata = { name: 'metadata.json', content: JSON.stringify(metadataOf()) }
  expect(await refuse(zipOf([metadata, { name: 'plugins/../../x', content: 'x' }]))).toEqual([
    422,
    'archive_refused',
    'traversal',
    'plugins/../../x',
  ])
  expect(await refuse(zipOf([{ name: 'plugins/x.py', content: 'x' }]))).toEqual([
    422,
    'archive_refused',
    'metadata_missing',
    undefined,
  ])
  expect(await versionsOf(node)).toEqual([])
})

test('[A-9] metadata that is not valid is refused with findings', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const response = await node.as('ada').publish(archiveOf({ package: { license: 'MITT', name: 5 } }))
  expect(response.status).toBe(422)
  const { code, findings = [] } = (await response.json()) as Refusal
  expect(code).toBe('metadata_invalid')
  expect(findings.map(({ pointer }) => pointer).toSorted()).toEqual(['/license', '/name'])
})

test('[A-10] C9: a pattern that RE2 does not know is published, with a warning where it stands', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const response = await node.as('ada').publish(
    archiveOf({
      package: { keep_on_update: ['[.]ini$', '(?<=a)b'] },
      versionFields: { keep_on_update: ['(a)\\1'] },
    }),
  )
  const { warnings } = (await response.json()) as Publication
  expect(response.status).toBe(201)
  expect(warnings).toEqual([
    { pointer: '/keep_on_update/1', message: expect.stringContaining('cannot be run safely') },
    { pointer: '/versions/0/keep_on_update/0', message: expect.stringContaining('cannot be run safely') },
  ])
  const sparse = await node.ask('/registry/sparse/tool/com.example.blinky.json')
  expect(await sparse.json()).toMatchObject({
    keep_on_update: ['[.]ini$', '(?<=a)b'],
    versions: [{ keep_on_update: ['(a)\\1'] }],
  })
})

test('[A-10] the patterns of package and version count together', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const many = (first: number) => Array.from({ length: 60 }, (_, index) => `file-${first + index}[.]ini$`)
  const response = await node
    .as('ada')
    .publish(archiveOf({ package: { keep_on_update: many(0) }, versionFields: { keep_on_update: many(60) } }))
  const { warnings } = (await response.json()) as Publication
  expect(response.status).toBe(201)
  expect(warnings).toContainEqual(expect.objectContaining({ pointer: '/versions/0/keep_on_update/40' }))
})

test.each([
  ['NUL', { package: { name: 'a\0b' } }, '/name'],
  ['NUL in an unknown key', { package: { x: { 'a\0': 1 } } }, '/x'],
  ['half a character', { package: { x: ['\ud800'] } }, '/x/0'],
])('[A-11] what the database cannot hold is the metadata’s fault: %s', async (_, content, pointer) => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const response = await node.as('ada').publish(archiveOf(content))
  const { code, findings } = (await response.json()) as Refusal
  expect([response.status, code, findings?.map((each) => each.pointer)]).toEqual([
    422,
    'metadata_invalid',
    [pointer],
  ])
})

test.each(['aux', 'Com1.example', 'lpt9', 'NUL.x'])(
  '[A-29] an identifier that Windows takes for a device is refused: %s',
  async (identifier) => {
    await using node = await startRegistry({ indexer: NO_INDEXER })
    const response = await node.as('ada').publish(archiveOf({ identifier }))
    const { code, findings } = (await response.json()) as Refusal
    expect([code, findings]).toEqual([
      'metadata_invalid',
      [expect.objectContaining({ pointer: '/identifier', code: 'reserved_name' })],
    ])
  },
)

test('[A-12] more than the largest archive is refused, with and without a declared length', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER, settings: { maxArchiveBytes: 100_000 } })
  const large = archiveOf({ code: '#'.repeat(100_000) })
  const declared = await node.as('ada').publish(large)
  expect([declared.status, await codeOf(declared)]).toEqual([413, 'body_too_large'])
  const streamed = await node.as('ada').ask('/registry/owners/ada/packages', {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: new Blob([new Uint8Array(large)]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect([streamed.status, await codeOf(streamed)]).toEqual([413, 'body_too_large'])
  const text = await node.as('ada').change('POST', '/registry/owners/ada/packages', {})
  expect([text.status, await codeOf(text)]).toEqual([415, 'unsupported_media_type'])
  expect([await spooled(node), await versionsOf(node)]).toEqual([[], []])
})

test('[A-13] no file of the spool outlives its request', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  const answers = [
    await ada.publish(archiveOf()),
    await ada.publish(archiveOf()),
    await ada.publish(archiveOf({ code: 'other' })),
    await ada.publish(Buffer.from('no zip')),
    await node.as('bob').publish(archiveOf({ identifier: 'com.example.other' }), { owner: 'ada' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 409, 422, 403])
  expect(await spooled(node)).toEqual([])
})

test('[A-13] what a killed process left goes at the next start, once it is old', async () => {
  await using database = await migratedDatabase()
  await using folder = await temporaryFolder()
  const spool = join(folder.path, 'spool')
  await mkdir(join(spool, 'feed-old'), { recursive: true })
  for (const name of ['upload-old.zip', 'upload-young.zip', 'of-somebody-else'])
    await writeFile(join(spool, name), 'x')
  const hours = (ago: number) => new Date(Date.parse('2026-01-01T00:00:00Z') - ago * 3_600_000)
  for (const name of ['upload-old.zip', 'feed-old', 'of-somebody-else'])
    await utimes(join(spool, name), hours(2), hours(2))
  await utimes(join(spool, 'upload-young.zip'), hours(0.9), hours(0.9))
  await using _node = await startRegistryNode({ databaseUrl: database.url, folder: folder.path })
  expect((await readdir(spool)).toSorted()).toEqual(['of-somebody-else', 'upload-young.zip'])
})

test('[A-14] publishing is limited per client address', async () => {
  await using node = await startRegistry({
    indexer: NO_INDEXER,
    settings: { publishesPerMinute: 2, importsPerMinute: 1 },
  })
  const ada = node.as('ada')
  const statuses = []
  for (let index = 0; index < 3; index += 1) statuses.push((await ada.publish(Buffer.from('no zip'))).status)
  expect(statuses).toEqual([422, 422, 429])
  const fetchOne = () => ada.change('POST', '/registry/owners/ada/imports', { url: 'http://127.0.0.1/x' })
  const [first, second] = [await fetchOne(), await fetchOne()]
  expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([400, 429, '60'])
})

/** Uploads that have begun and wait for their end. */
function holdUploads(node: RegistryNode, handles: readonly string[]) {
  const ends: (() => void)[] = []
  const held = handles.map((handle) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('PK'))
        ends.push(() => controller.close())
      },
    })
    return node.as(handle).ask(`/registry/owners/${handle}/packages`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip' },
      body,
      duplex: 'half',
    } as RequestInit)
  })
  const end = async () => {
    for (const each of ends) each()
    return new Set((await Promise.all(held)).map(({ status }) => status))
  }
  const begun = async () => {
    await expect.poll(async () => (await spooled(node)).length, { timeout: 10_000 }).toBe(handles.length)
  }
  return { begun, end }
}

test('[A-14] one archive more than a node takes at once is told to come back', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const handles = Array.from({ length: 64 }, (_, index) => `person-${index % 8}`)
  const held = holdUploads(node, handles)
  await held.begun()
  const another = await node.as('ada').publish(archiveOf())
  expect([another.status, another.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await held.end()).toEqual(new Set([422]))
  expect((await node.as('ada').publish(archiveOf())).status).toBe(201)
})

test('[A-14] one person has eight of the places, and leaves the others to others', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const held = holdUploads(
    node,
    Array.from({ length: 8 }, () => 'eve'),
  )
  await held.begun()
  const ninth = await node.as('eve').publish(archiveOf({ identifier: 'com.eve.x' }))
  expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([429, '5'])
  expect((await node.as('ada').publish(archiveOf())).status).toBe(201)
  expect(await held.end()).toEqual(new Set([422]))
  expect((await node.as('eve').publish(archiveOf({ identifier: 'com.eve.x' }))).status).toBe(201)
})

test('[A-18] without the object store nothing is published, and 503 says so', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await rename(join(node.folder, 'objects'), join(node.folder, 'objects-away'))
  const response = await node.as('ada').publish(archiveOf())
  expect([response.status, await codeOf(response)]).toEqual([503, 'objects_unavailable'])
  expect([await versionsOf(node), await spooled(node)]).toEqual([[], []])
  await rename(join(node.folder, 'objects-away'), join(node.folder, 'objects'))
  expect((await node.as('ada').publish(archiveOf())).status).toBe(201)
})
