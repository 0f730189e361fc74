import { SettableClock } from '@patchbay/testkit/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { commitFeed } from '../../src/feeds/feed-commit.store.ts'
import { draftFeed, type FeedDraft } from '../../src/feeds/feed-draft.store.ts'
import { keepHouse } from '../../src/feeds/housekeeping.store.ts'
import { fingerprintOf, servedBrands } from '../../src/index-settings.ts'
import { archiveOf } from '../archive.ts'
import { NO_INDEXER, type RegistryNode, startRegistry } from '../start.ts'
import { pathOf, readFeed, sha256Of } from './reading.ts'

const DAY_MS = 86_400_000
const ADA = { owner: 'ada', visibility: 'public' } as const

async function startReplaced() {
  const clock = new SettableClock()
  const node = await startRegistry({ clock })
  const ada = node.as('ada')
  await ada.publish(archiveOf({ version: '1.0' }))
  await node.registry.indexer.settle(30_000)
  const old = (await readFeed(node)).repository
  await ada.publish(archiveOf({ version: '1.1' }))
  await node.registry.indexer.settle(30_000)
  return { node, clock, old }
}

async function draftAda({ deps }: RegistryNode): Promise<FeedDraft> {
  const draft = await draftFeed(deps, ADA)
  if (draft === undefined) throw new Error('nothing waits')
  return draft
}

function commit({ deps }: RegistryNode, draft: FeedDraft): Promise<boolean> {
  const { settings, clock } = deps
  const shape = { brands: servedBrands(settings), fingerprint: fingerprintOf(settings) }
  return commitFeed({ ...deps, ...shape, signer: undefined }, draft, clock.now())
}

const isThere = async ({ deps }: RegistryNode, sha256: string) =>
  (await deps.objects.stat(sha256)) !== undefined

test('[A-460] files that no feed has named for a day go with their objects, everything else stays', async () => {
  const { node: started, clock, old } = await startReplaced()
  await using node = started
  const list = String(old.packages.sha256)
  const { encodings } = await node.db
    .selectFrom('feed_files')
    .select('encodings')
    .where('sha256', '=', list)
    .limit(1)
    .executeTakeFirstOrThrow()
  clock.advance(DAY_MS - 1_000)
  await keepHouse(node.deps)
  expect((await node.ask(pathOf(old.packages.url))).status).toBe(200)
  clock.advance(1_000)
  await keepHouse(node.deps)
  const rows = await node.db
    .selectFrom('feed_files')
    .select('sha256')
    .where('replaced_at', 'is not', null)
    .execute()
  expect(rows).toEqual([])
  const objects = [list, ...Object.values(encodings)]
  expect(await Promise.all(objects.map((object) => isThere(node, object)))).toEqual(objects.map(() => false))
  // Icons did not change, so this one is still named.
  expect(await isThere(node, String(old.resources?.sha256))).toBe(true)
  expect(await isThere(node, sha256Of(archiveOf({ version: '1.0' })))).toBe(true)
  expect((await readFeed(node)).packages.packages[0]?.versions).toHaveLength(2)
})

deepTest('[A-460] a build that names the same bytes again puts them again, or is not committed', async () => {
  const { node: started, clock } = await startReplaced()
  await using node = started
  const { deps, db } = node
  await db.deleteFrom('package_versions').where('version', '=', '1.1').execute()
  await db
    .updateTable('feeds')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .execute()
  clock.advance(DAY_MS)
  // Drafted while the old objects are there, committed after they are gone.
  const old = await draftAda(node)
  await keepHouse(deps)
  expect(await commit(node, old)).toBe(false)
  expect(await commit(node, await draftAda(node))).toBe(true)
  const again = await readFeed(node, '/registry/feeds/tool/ada/repository.json')
  expect(again.packages.packages[0]?.versions).toHaveLength(1)
})

deepTest(
  '[A-460] a sweep removes all that is due up to its bounds, and says whether something is left',
  async () => {
    await using node = await startRegistry({ indexer: NO_INDEXER })
    await sql`
    insert into feed_files (sha256, name, owner, visibility, encodings, size, replaced_at)
    select encode(sha256(n::text::bytea), 'hex'), 'packages.json', 'ada', 'public', '{}', 1, '2020-01-01'
    from generate_series(1, 90) n`.execute(node.db)
    const left = async () => (await node.db.selectFrom('feed_files').select('sha256').execute()).length
    expect(await keepHouse(node.deps, { longestMs: 60_000, mostFiles: 40 })).toBe(false)
    expect(await left()).toBe(50)
    expect(await keepHouse(node.deps, { longestMs: 0, mostFiles: 500 })).toBe(false)
    expect(await left()).toBe(30)
    expect(await keepHouse(node.deps, { longestMs: 60_000, mostFiles: 500 })).toBe(true)
    expect(await left()).toBe(0)
  },
)

test('[A-615] objects of publications that lost a race and of deleted versions go a day later, and no others', async () => {
  const clock = new SettableClock()
  await using node = await startRegistry({ clock, indexer: NO_INDEXER })
  const { db, deps } = node
  const publish = async (version: string, code: string) =>
    (await node.as('ada').publish(archiveOf({ version, code }))).status
  expect(await publish('1.0', 'print(0)')).toBe(201)
  const statuses = await Promise.all(['a', 'b', 'c', 'd'].map((code) => publish('1.1', code)))
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(await publish('2.0', 'print(2)')).toBe(201)
  const version = '/registry/owners/ada/packages/com.example.blinky/versions/2.0'
  expect((await node.as('ada').change('DELETE', version)).status).toBe(204)
  const bytesOf2 = sha256Of(archiveOf({ version: '2.0', code: 'print(2)' }))
  clock.advance(DAY_MS - 1_000)
  while (!(await keepHouse(deps)));
  expect(await isThere(node, bytesOf2)).toBe(true)
  // The same bytes once more, when the first are about to go.
  expect(await publish('2.0', 'print(2)')).toBe(201)
  clock.advance(1_000)
  while (!(await keepHouse(deps)));
  const { rows } = await sql<{ sha256: string }>`
    select archive_sha256 as sha256 from package_versions union select manifest_sha256 from package_versions
    union select package_icon_sha256 from package_versions where package_icon_sha256 is not null`.execute(db)
  const { objects } = await deps.objects.list({ limit: 1_000 })
  expect(objects.map(({ sha256 }) => sha256).toSorted()).toEqual(rows.map(({ sha256 }) => sha256).toSorted())
  expect(await db.selectFrom('loose_objects').select('sha256').execute()).toEqual([])
})

test('[A-411] of two drafts of the same state one is committed', async () => {
  const { node: started } = await startReplaced()
  await using node = started
  await node.db
    .updateTable('feeds')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .execute()
  const drafts = await Promise.all([draftAda(node), draftAda(node)])
  const commits = drafts.map((draft) => commit(node, draft))
  expect((await Promise.all(commits)).filter((isCommitted) => isCommitted)).toHaveLength(1)
})

test('[A-600] O4: audit entries go after the days that are set, the oldest first, a round at a time', async () => {
  await using node = await startRegistry({ indexer: NO_INDEXER, settings: { auditKeptDays: 30 } })
  const due = new Date(node.deps.clock.now().getTime() - 30 * DAY_MS)
  await sql`
    insert into registry_audit (at, owner, actor_id, actor, credential, action, identifier, detail)
    select ${due}::timestamptz + make_interval(secs => greatest(0, n - 1200)), 'ada', gen_random_uuid(), 'ada', 'browser',
      'publish', 'com.x', n::text
    from generate_series(1, 1203) n`.execute(node.db)
  const left = async () =>
    (await node.db.selectFrom('registry_audit').select('detail').orderBy('id').execute()).map(
      ({ detail }) => detail,
    )
  expect(await keepHouse(node.deps)).toBe(false)
  expect(await left()).toHaveLength(203)
  expect(await keepHouse(node.deps)).toBe(true)
  expect(await left()).toEqual(['1201', '1202', '1203'])
})
