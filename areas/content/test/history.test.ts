import { FILE_LIMITS } from '@patchbay/contracts/limits'
import { createInProcessBus } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { codeOf, startContent, startContentNode, success } from './start.ts'

test('[F-10] history tells who, when, why and where it came from', async () => {
  await using node = await startContent()
  const files = node.files('ada/board', 'bob')
  await success(await files.put('a', 'one'))
  const sha256 = await files.upload('two')
  const author = { name: 'Grace Hopper', at: '1952-05-01T08:00:00.000Z' }
  await success(await files.change([{ op: 'put', path: 'b', sha256 }], { reason: 'Import', author }))
  await success(await files.put('a', 'three', '"1"'))
  const all = await (await success(await files.ask('GET', '/changes'))).json()
  expect(all.items.map(({ revision }: { revision: number }) => revision)).toEqual([3, 2, 1])
  expect(all.items[1]).toMatchObject({ by: { handle: 'bob' }, reason: 'Import', author, paths: 1 })
  const ofA = await (await success(await files.ask('GET', '/changes?path=a&limit=1'))).json()
  expect(ofA.items.map(({ revision }: { revision: number }) => revision)).toEqual([3])
  const next = await (
    await success(await files.ask('GET', `/changes?path=a&limit=1&cursor=${ofA.nextCursor}`))
  ).json()
  expect([next.items[0].revision, next.nextCursor]).toEqual([1, null])
})

test('[F-11] every kept state can be read and brought back', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('a', 'one'))
  await success(await files.put('a', 'two', '"1"'))
  await success(await files.change([{ op: 'delete', path: 'a' }]))
  await success(await files.put('b', 'new'))
  expect(await files.read('a', '&revision=1')).toBe('one')
  expect(await files.read('a', '&revision=2')).toBe('two')
  expect(await codeOf(files.ask('GET', '/content?path=a&revision=3'))).toBe('404 file_not_found')
  expect(await codeOf(files.ask('GET', '/content?path=a&revision=9'))).toBe('400 invalid_request')
  await success(await files.change([{ op: 'restore', path: 'a', revision: 1 }]))
  expect(await files.tree()).toEqual({ a: 'one', b: 'new' })
  await success(await files.ask('POST', '/restore', { json: { revision: 2, reason: 'Better before' } }))
  expect(await files.tree()).toEqual({ a: 'two' })
  await success(await files.ask('POST', '/restore', { json: { revision: 0 } }))
  expect(await files.tree()).toEqual({})
  await success(await files.ask('POST', '/restore', { json: { revision: 5 } }))
  expect(await files.tree()).toEqual({ a: 'one', b: 'new' })
})

test('[F-12] what is older than so many changes is forgotten, and nothing else', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put('first', 'kept'))
  await success(await files.put('gone', 'not kept'))
  await success(await files.change([{ op: 'delete', path: 'gone' }]))
  await success(await files.put('a', 'one'))
  await success(await files.put('a', 'two', '"4"'))
  // As after so many more changes; making them would take an hour.
  await sql`update contents set revision = revision + ${FILE_LIMITS.changesKept - 1}`.execute(node.db)
  await sql`update content_versions set revision = revision + ${FILE_LIMITS.changesKept - 1} where revision = 5`.execute(
    node.db,
  )
  await sql`update content_changes set revision = revision + ${FILE_LIMITS.changesKept - 1} where revision = 5`.execute(
    node.db,
  )
  await sql`update content_files set revision = revision + ${FILE_LIMITS.changesKept - 1} where revision = 5`.execute(
    node.db,
  )
  await node.collection.sweep()
  expect(await files.tree()).toEqual({ a: 'two', first: 'kept' })
  expect(await files.read('a', '&revision=4')).toBe('one')
  expect(await files.read('first', '&revision=4')).toBe('kept')
  expect(await codeOf(files.ask('GET', '/content?path=gone&revision=2'))).toBe('410 history_gone')
  expect(await codeOf(files.ask('GET', '/changed-paths?after=1'))).toBe('410 history_gone')
  expect(await codeOf(files.ask('POST', '/restore', { json: { revision: 3 } }))).toBe('410 history_gone')
  const restore = (revision: number) => files.change([{ op: 'restore', path: 'first', revision }])
  expect(await codeOf(restore(3))).toBe('410 history_gone')
  expect(await codeOf(restore(FILE_LIMITS.changesKept + 5))).toBe('400 invalid_request')
  expect(await codeOf(restore(4))).toBe('200')
  expect(await files.tree()).toEqual({ a: 'two', first: 'kept' })
  const { rows } = await sql<{
    named: number
  }>`select count(*)::integer as named from content_blobs where is_named`.execute(node.db)
  expect(rows[0]?.named).toBe(3)
})

test('[F-13] what changed since a revision is told once each, and as soon as it happens', async () => {
  await using bus = createInProcessBus({ node: 'both', clock: systemClock })
  await using node = await startContent({ bus })
  await using other = await startContentNode({ bus, databaseUrl: node.databaseUrl, folder: node.folder })
  const files = node.files('ada/board')
  for (const path of ['a', 'b', 'c']) await success(await files.put(path, path))
  await success(await files.put('b', 'bb', '"2"'))
  await success(await files.change([{ op: 'delete', path: 'a' }]))
  const since = async (query: string) =>
    await (await success(await files.ask('GET', `/changed-paths?${query}`))).json()
  const { revision, items } = await since('after=1')
  expect(revision).toBe(5)
  expect(items.map(({ path, revision: at, content }: never) => [path, at, content === null])).toEqual([
    ['a', 5, true],
    ['b', 4, false],
    ['c', 3, false],
  ])
  const page = await since('after=1&limit=2')
  expect(
    (await since(`after=1&limit=2&cursor=${page.nextCursor}`)).items.map(({ path }: never) => path),
  ).toEqual(['c'])
  expect((await since('after=1&until=3')).items.map(({ path }: never) => path)).toEqual(['b', 'c'])
  expect(await since('after=5')).toEqual({ revision: 5, items: [], nextCursor: null })
  const waiting = since('after=5&wait=30')
  await success(await other.files('ada/board').put('d', 'd'))
  expect((await waiting).items.map(({ path }: never) => path)).toEqual(['d'])
})
