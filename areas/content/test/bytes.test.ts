import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileObjects, type ObjectStore } from '@patchbay/kernel/objects'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listQuotas, setQuota } from '../src/operator.store.ts'
import { type ContentNode, codeOf, sha256Of, startContent, success, temporaryFolder } from './start.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

/** The real one, some time ahead: objects on a disk have the real time. */
function createClock() {
  let ahead = 0
  return { now: () => new Date(Date.now() + ahead), advance: (ms: number) => void (ahead += ms) }
}

/** What is counted, and what it should be. */
async function counts({ db }: Pick<ContentNode, 'db'>): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`
    select coalesce(sum(files), 0)::integer as files, coalesce(sum(bytes), 0)::integer as bytes,
      coalesce(sum(stored_bytes), 0)::integer as stored,
      (select count(*)::integer from content_files) as real_files,
      (select coalesce(sum(size), 0)::integer from content_files) as real_bytes,
      (select coalesce(sum(size), 0)::integer from content_blobs) as real_stored
    from contents`.execute(db)
  const { files, bytes, stored, ...real } = rows[0] ?? {}
  expect(real).toEqual({ real_files: files, real_bytes: bytes, real_stored: stored })
  return rows[0] ?? {}
}

const objectsOf = async ({ objects }: Pick<ContentNode, 'objects'>) =>
  (await objects.list({ limit: 1_000 })).objects.map(({ sha256 }) => sha256)

test('[F-17] bytes with another hash than announced are refused, and nothing is left', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const wrong = sha256Of('something else')
  expect(await codeOf(files.ask('PUT', `/blobs/${wrong}`, { body: 'bytes' }))).toBe('422 content_mismatch')
  expect(await codeOf(files.ask('PUT', '/blobs/nothash', { body: 'bytes' }))).toBe('400 invalid_request')
  expect(await objectsOf(node)).toEqual([])
  expect(await readdir(join(node.folder, 'objects', 'tmp'))).toEqual([])
})

test('[F-18] an owner has so many bytes in all, and what is refused leaves none', async () => {
  await using node = await startContent({ ownerBytes: 100 })
  await node.make('ada/other')
  await node.make('bob/board')
  const files = node.files('ada/board')
  await success(await files.put('a', 'x'.repeat(60)))
  await success(await files.put('again', 'x'.repeat(60)))
  expect(await codeOf(node.files('ada/other').put('b', 'y'.repeat(41)))).toBe('409 limit_reached')
  await success(await node.files('ada/other').put('b', 'y'.repeat(40)))
  expect(await codeOf(files.put('a', 'z', '"1"'))).toBe('409 limit_reached')
  await success(await node.files('bob/board').put('b', 'y'.repeat(41)))
  expect(await objectsOf(node)).toHaveLength(3)
  expect(await counts(node)).toMatchObject({ files: 4, bytes: 201, stored: 141 })
})

test('[F-18] an operator gives one owner another limit, and takes that back', async () => {
  await using node = await startContent({ ownerBytes: 100 })
  await node.make('bob/board')
  const [ada, bob] = [node.files('ada/board'), node.files('bob/board')]
  await setQuota(node.db, 'ada', 200)
  await setQuota(node.db, 'ada', 150)
  await success(await ada.put('a', 'x'.repeat(150)))
  expect(await codeOf(ada.put('b', 'y'))).toBe('409 limit_reached')
  expect(await codeOf(bob.put('a', 'x'.repeat(101)))).toBe('409 limit_reached')
  expect(await listQuotas(node.db)).toEqual(new Map([['ada', 150]]))
  await setQuota(node.db, 'ada', undefined)
  expect(await codeOf(ada.put('c', 'z'))).toBe('409 limit_reached')
  expect((await ada.read('a')).length).toBe(150)
})

test('[F-19] bytes that nothing names go after a day, those of history stay', async () => {
  const clock = createClock()
  await using node = await startContent({ clock })
  const files = node.files('ada/board')
  await success(await files.put('a', 'old'))
  await success(await files.put('a', 'newer', '"1"'))
  const unnamed = await files.upload('never named')
  await node.collection.sweep()
  expect(await objectsOf(node)).toHaveLength(3)
  clock.advance(DAY_MS + 1)
  const late = await files.upload('named in the last moment')
  await node.collection.sweep()
  expect((await objectsOf(node)).toSorted()).toEqual([sha256Of('old'), sha256Of('newer'), late].toSorted())
  expect(await codeOf(files.change([{ op: 'put', path: 'b', sha256: unnamed }]))).toBe('409 bytes_missing')
  expect(await codeOf(files.change([{ op: 'put', path: 'b', sha256: late }]))).toBe('200')
  expect(await files.read('a', '&revision=1')).toBe('old')
  expect(await counts(node)).toMatchObject({ stored: 3 + 5 + 24 })
})

test('[F-20] a removed workspace takes its files with it, and leaves those of others', async () => {
  await using node = await startContent()
  await node.make('ada/other')
  await success(await node.files('ada/board').put('shared', 'both'))
  await success(await node.files('ada/board').put('own', 'mine'))
  await success(await node.files('ada/other').put('shared', 'both'))
  await node.remove('ada/board')
  expect(await codeOf(node.files('ada/board').put('late', 'x'))).toBe('404 workspace_not_found')
  await node.make('ada/board')
  expect(await node.files('ada/board').list()).toMatchObject({ revision: 0, files: [] })
  await node.collection.sweep()
  expect(await objectsOf(node)).toEqual([sha256Of('both')])
  expect(await node.files('ada/other').tree()).toEqual({ shared: 'both' })
  expect(await counts(node)).toMatchObject({ files: 1, stored: 4 })
  const { rows } = await sql`select from contents where owner is null`.execute(node.db)
  expect(rows).toHaveLength(0)
})

test('[F-21] bytes that were never noted go after a day; an upload never loses what it was told it has', async () => {
  const clock = createClock()
  await using node = await startContent({ clock })
  const files = node.files('ada/board')
  await node.objects.put(bytesOf('lost'))
  await node.collection.sweep()
  expect(await objectsOf(node)).toEqual([sha256Of('lost')])
  clock.advance(DAY_MS + 60_000)
  // Whoever uploads the same bytes while they are collected has them, or is told to send them again.
  for (let round = 0; round < 20; round += 1) {
    const [answer] = await Promise.all([
      files.ask('PUT', `/blobs/${sha256Of('lost')}`, { body: 'lost' }),
      node.collection.sweep(),
    ])
    const there = await objectsOf(node)
    expect([
      [204, sha256Of('lost')],
      [503, undefined],
    ]).toContainEqual([answer.status, there[0]])
    clock.advance(DAY_MS + 60_000)
    await node.collection.sweep()
    expect(await objectsOf(node)).toEqual([])
  }
})

test('[F-24] a deletion that has lost the database takes nothing from whoever uploads the same bytes', async () => {
  await using folder = await temporaryFolder()
  const clock = createClock()
  const stored = await createFileObjects({ root: join(folder.path, 'objects') })
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const slow: ObjectStore = {
    ...stored,
    async delete(sha256) {
      begun.resolve()
      await held.promise
      return await stored.delete(sha256)
    },
  }
  await using node = await startContent({ clock, objects: slow })
  const files = node.files('ada/board')
  const put = () => codeOf(files.ask('PUT', `/blobs/${sha256Of('given up')}`, { body: 'given up' }))
  expect(await put()).toBe('204')
  clock.advance(DAY_MS + 1)
  const sweeping = node.collection.sweep().catch(() => undefined)
  await begun.promise
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(node.db)
  const during = await put()
  held.resolve()
  await sweeping
  expect([during, await objectsOf(node)]).toEqual(['503 objects_unavailable', []])
  expect(await put()).toBe('204')
  expect(await codeOf(files.change([{ op: 'put', path: 'a', sha256: sha256Of('given up') }]))).toBe('200')
  expect(await files.tree()).toEqual({ a: 'given up' })
  expect(await counts(node)).toMatchObject({ files: 1, stored: 8 })
})

test('[F-24] what a node left half deleted is deleted later, and can be uploaded again', async () => {
  const clock = createClock()
  await using node = await startContent({ clock })
  const files = node.files('ada/board')
  await node.objects.put(bytesOf('half'))
  await sql`insert into content_deletions values (${sha256Of('half')}, ${clock.now()})`.execute(node.db)
  const put = () => codeOf(files.ask('PUT', `/blobs/${sha256Of('half')}`, { body: 'half' }))
  expect(await put()).toBe('503 objects_unavailable')
  clock.advance(HOUR_MS)
  await node.collection.sweep()
  expect(await objectsOf(node)).toEqual([])
  const { rows } = await sql`select from content_deletions`.execute(node.db)
  expect(rows).toEqual([])
  expect(await put()).toBe('204')
})
