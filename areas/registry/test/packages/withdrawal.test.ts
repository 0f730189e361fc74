import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { PackagePage, Publication } from '@patchbay/contracts/registry'
import { ObjectCorrupt, type ObjectStore } from '@patchbay/kernel/objects'
import { inTransaction } from '@patchbay/kernel/postgres'
import type { Package } from '@patchbay/package-format'
import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Publisher } from '../../src/deps.ts'
import { yankForOperator } from '../../src/packages/withdrawal.store.ts'
import { recoverFacts } from '../../src/publish/recover-facts.store.ts'
import { archiveOf, ICON } from '../archive.ts'
import { pathOf, readFeed, readJson } from '../feeds/reading.ts'
import { codeOf } from '../looking.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'

const OWNED = '/registry/owners/ada/packages/com.example.blinky'
const PAGE = '/registry/packages/com.example.blinky'
const HOUR_MS = 3_600_000

const pageOf = async (node: RegistryNode) => (await readJson(node, PAGE)) as PackagePage
const actionsOf = async ({ db }: RegistryNode) => {
  const rows = await db.selectFrom('registry_audit').select(['action', 'detail']).orderBy('id').execute()
  return rows.map(({ action, detail }) => `${action} ${detail.length === 64 ? 'hash' : detail}`.trim())
}
const publish = async (
  node: RegistryNode,
  version: string,
  content: Parameters<typeof archiveOf>[0] = {},
) => {
  const response = await node.as('ada').publish(archiveOf({ version, ...content }))
  expect(response.status).toBe(201)
  return (await response.json()) as Publication
}

test('[A-511] R1: a yanked version leaves what tools choose from, and whoever names it still gets it', async () => {
  await using node = await startRegistry()
  const ada = node.as('ada')
  await publish(node, '1.0', { package: { name: 'Good' } })
  const { download_url: url } = await publish(node, '2.0', { package: { name: 'Bad' } })
  const yank = `${OWNED}/versions/2.0/yank`
  expect((await ada.change('PUT', yank, { reason: 'Deletes boards' })).status).toBe(204)
  expect(await node.registry.indexer.settle(20_000)).toBe(true)

  for (const brand of ['tool', 'kicad']) {
    const { packages } = (await readFeed(node, `/registry/feeds/${brand}/repository.json`)).packages
    const sparse = (await readJson(node, `/registry/sparse/${brand}/com.example.blinky.json`)) as Package
    expect(packages).toEqual([sparse])
    expect(sparse.name).toBe('Good')
    expect(sparse.versions.map(({ version }) => version)).toEqual(['1.0'])
    expect(sparse['yanked_versions']).toMatchObject([
      { version: '2.0', [`${brand}_version`]: '8.0', download_url: url, yank_reason: 'Deletes boards' },
    ])
  }
  expect((await node.ask(pathOf(url))).status).toBe(200)
  const { versions, name } = await pageOf(node)
  expect(name).toBe('Good')
  expect(versions.map(({ version, yanked }) => [version, yanked?.reason])).toEqual([
    ['2.0', 'Deletes boards'],
    ['1.0', undefined],
  ])
  const search = async (query = '') =>
    ((await readJson(node, `/registry/search${query}`)) as { items: { latest: { version: string } }[] }).items
  expect((await search()).map(({ latest }) => latest.version)).toEqual(['1.0'])

  expect((await ada.change('DELETE', yank)).status).toBe(204)
  expect((await search('?status=stable')).map(({ latest }) => latest.version)).toEqual(['2.0'])
  await ada.change('PUT', yank, {})
  await ada.change('PUT', `${OWNED}/versions/1.0/yank`, {})
  expect([await search(), await search('?status=stable')]).toEqual([[], []])
  expect((await pageOf(node)).versions).toHaveLength(2)
})

test('[A-512] R1: yanking is for those who may publish, and every change of it is noted once', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await publish(node, '1.0')
  const yank = (who: string, version = '1.0', body: unknown = {}) =>
    node.as(who).change('PUT', `${OWNED}/versions/${version}/yank`, body)
  const refused = await yank('bob')
  expect([refused.status, await codeOf(refused)]).toEqual([403, 'not_permitted'])
  expect((await node.as('bob').change('DELETE', `${OWNED}/versions/1.0`)).status).toBe(403)
  expect((await yank('ada', '1.1')).status).toBe(404)
  expect((await yank('ada', '1.0', { reason: 'x'.repeat(501) })).status).toBe(400)
  await yank('ada', '1.0', { reason: 'a' })
  await yank('ada', '1.0', { reason: 'a' })
  await yank('ada', '1.0', { reason: 'b' })
  for (let time = 0; time < 2; time += 1) await node.as('ada').change('DELETE', `${OWNED}/versions/1.0/yank`)
  expect(await actionsOf(node)).toEqual(['published hash', 'yanked a', 'yanked b', 'unyanked'])
})

test('[A-512] the operator yanks what belongs to somebody else, and no version that is not there', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await publish(node, '1.0')
  const operator: Publisher = {
    personId: '00000000-0000-0000-0000-000000000000',
    handle: 'operator',
    credential: { kind: 'command_line', id: '' },
  }
  const yank = async (version: string, what: { readonly reason: string } | null) =>
    await inTransaction(node.db, (tx) =>
      yankForOperator(tx, operator, { identifier: 'com.example.blinky', version }, what, new Date()),
    )
  expect(await yank('1.1', { reason: 'a' })).toBe(false)
  expect(await yank('1.0', { reason: 'a' })).toBe(true)
  expect((await pageOf(node)).versions[0]?.yanked?.reason).toBe('a')
  expect(await yank('1.0', null)).toBe(true)
  expect(await actionsOf(node)).toEqual(['published hash', 'yanked a', 'unyanked'])
})

test('[A-513] R1: a version is deleted within 72 hours while nobody else has downloaded it', async () => {
  const clock = new SettableClock()
  await using node = await startRegistry({ indexer: NO_INDEXER, clock })
  const ada = node.as('ada')
  const remove = (version: string) => ada.change('DELETE', `${OWNED}/versions/${version}`)
  const old = await publish(node, '1.0')
  clock.advance(72 * HOUR_MS)
  const slip = await publish(node, '2.0', { package: { name: 'Slip' } })
  const taken = await publish(node, '3.0')
  // A look, and the publisher's own, are no downloads of somebody else.
  expect((await ada.ask(pathOf(slip.download_url))).status).toBe(200)
  expect((await node.ask(pathOf(slip.download_url), { method: 'HEAD' })).status).toBe(200)
  const stranger = { headers: { 'x-test-person': 'bob' } }
  expect((await node.ask(pathOf(taken.download_url), stranger)).status).toBe(200)
  clock.advance(1)
  const deletable = (await pageOf(node)).versions.map((each) => [each.version, each.is_deletable])
  expect(deletable).toEqual([
    ['3.0', false],
    ['2.0', true],
    ['1.0', false],
  ])
  for (const version of ['1.0', '3.0']) {
    const refused = await remove(version)
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'version_delete_refused'])
  }
  expect((await remove('2.0')).status).toBe(204)
  expect((await remove('2.0')).status).toBe(404)
  await expect
    .poll(async () => (await ada.ask(pathOf(slip.download_url))).status, { timeout: 20_000 })
    .toBe(404)
  expect((await pageOf(node)).versions.map(({ version }) => version)).toEqual(['3.0', '1.0'])
  expect((await actionsOf(node)).at(-1)).toBe('deleted hash')
  expect((await node.ask(pathOf(old.download_url))).status).toBe(200)
})

test('[A-514] R1: a deleted version never comes back with other content, and its name stays', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const ada = node.as('ada')
  await publish(node, '1.0', { package: { type: 'library' } })
  expect((await ada.change('DELETE', `${OWNED}/versions/1.0`)).status).toBe(204)
  const again = async (content: Parameters<typeof archiveOf>[0], who = 'ada') => {
    const response = await node.as(who).publish(archiveOf(content))
    return response.status === 201 ? 201 : await codeOf(response)
  }
  expect(await again({ version: '1.0' })).toBe('version_exists')
  expect(await again({ version: '1.0.0' })).toBe('version_exists')
  expect(await again({ version: '1.0' }, 'bob')).toBe('identifier_taken')
  expect((await pageOf(node)).versions).toEqual([])
  expect(await readJson(node, '/registry/search')).toMatchObject({ items: [] })
  expect(await again({ version: '1.0', package: { type: 'library' } })).toBe(201)
  expect(await again({ version: '1.1' })).toBe('type_change_refused')
})

test('[A-515] R1: the first download of somebody else is one write, and the others none', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const { download_url: url } = await publish(node, '1.0')
  const row = async () =>
    await node.db
      .selectFrom('package_versions')
      .select('first_downloaded_at as at')
      .select((each) => each.ref('xmin' as 'version').as('writer'))
      .executeTakeFirstOrThrow()
  const before = await row()
  for (let time = 0; time < 2; time += 1) await (await node.ask(pathOf(url))).arrayBuffer()
  const first = await row()
  expect([before.at, first.at === null, first.writer === before.writer]).toEqual([null, false, false])
  for (let time = 0; time < 3; time += 1) await (await node.ask(pathOf(url))).arrayBuffer()
  expect(await row()).toEqual(first)
})

test('[A-516] R1: what versions of an earlier release say about their package is read from their archives', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await publish(node, '1.0', { package: { name: 'Stable' }, icon: ICON })
  await publish(node, '2.0', { package: { name: 'Slip' }, versionFields: { status: 'development' } })
  // As an earlier release left them: facts of the highest version, and of no other.
  await node.db.updateTable('packages').set({ name: 'Slip', icon_sha256: null }).execute()
  await node.db
    .updateTable('package_versions')
    .set({ package_metadata: null, package_icon_sha256: null })
    .where('version', '=', '1.0')
    .execute()
  await node.db
    .updateTable('packages')
    .set((row) => ({
      metadata: row
        .selectFrom('package_versions')
        .select('package_metadata')
        .where('version', '=', '2.0')
        .$asScalar() as never,
    }))
    .execute()
  const { revision: before } = await node.db
    .selectFrom('feeds')
    .select('revision')
    .limit(1)
    .executeTakeFirstOrThrow()
  await recoverFacts(node.deps)
  const page = await pageOf(node)
  expect([page.name, page.icon_url !== null]).toEqual(['Stable', true])
  const { revision } = await node.db.selectFrom('feeds').select('revision').limit(1).executeTakeFirstOrThrow()
  expect(revision).toBe(before + 1)
  // One that is lost keeps what the page says, and is not looked for again.
  await node.db
    .updateTable('package_versions')
    .set({ package_metadata: null, archive_sha256: '0'.repeat(64) })
    .execute()
  await recoverFacts(node.deps)
  expect((await pageOf(node)).name).toBe('Stable')
  const left = node.db.selectFrom('package_versions').select('version').where('package_metadata', 'is', null)
  expect(await left.execute()).toEqual([])
})

test('[A-611] an archive whose bytes are corrupt is passed over, and the next one is read', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  const { download_sha256: corrupt } = await publish(node, '1.0', { package: { name: 'Stable' } })
  await publish(node, '2.0', { package: { name: 'Later' } })
  await node.db.updateTable('package_versions').set({ package_metadata: null }).execute()
  const objects: ObjectStore = {
    ...node.deps.objects,
    get: async (sha256) => {
      if (sha256 !== corrupt) return await node.deps.objects.get(sha256)
      const stream = Readable.from(
        (async function* () {
          yield Buffer.from('PK')
          throw new ObjectCorrupt(sha256)
        })(),
      )
      return { stream, size: 2 }
    },
    put: (source, options) => node.deps.objects.put(source, options),
  }
  await recoverFacts({ ...node.deps, objects })
  await recoverFacts({ ...node.deps, objects })
  const left = node.db.selectFrom('package_versions').select('version').where('package_metadata', 'is', null)
  expect(await left.execute()).toEqual([])
  expect((await pageOf(node)).name).toBe('Later')
  expect(await readdir(node.deps.settings.spoolFolder)).toEqual([])
})

deepTest.each(['before\0after', 'a\u202Eb', 'a\u200Bb', 'two\nlines', ' '])(
  '[A-612] a reason that cannot be kept or does not show as it is written is refused: %j',
  async (reason) => {
    await using node = await startRegistry({ indexer: NO_INDEXER })
    await publish(node, '1.0')
    const yank = await node.as('ada').change('PUT', `${OWNED}/versions/1.0/yank`, { reason })
    const quarantine = await node.as('root').change('PUT', `${PAGE}/quarantine`, { reason })
    expect([await codeOf(yank), await codeOf(quarantine)]).toEqual(['invalid_request', 'invalid_request'])
    expect(await actionsOf(node)).toEqual(['published hash'])
  },
)

test('[A-612] a yank needs no reason', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER })
  await publish(node, '1.0')
  for (const body of [{ reason: '' }, { reason: 'Loses layers – see issue 12.' }, {}])
    expect((await node.as('ada').change('PUT', `${OWNED}/versions/1.0/yank`, body)).status).toBe(204)
})
