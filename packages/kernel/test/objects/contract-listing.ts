import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import type { ListedObject, ObjectStore } from '../../src/objects/index.ts'
import { inChunks, sha256Of } from './bytes.ts'
import type { StoreKind } from './store-under-test.ts'

async function putMany(store: ObjectStore, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, at) => Buffer.from(`object ${at}`))
  const waiting = texts.values()
  const work = async () => {
    for (const text of waiting) await store.put(inChunks(text))
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return texts.map(sha256Of).toSorted()
}

async function listAll(store: ObjectStore, limit: number): Promise<ListedObject[][]> {
  const pages: ListedObject[][] = []
  let after: string | undefined
  do {
    const { objects, next } = await store.list(after === undefined ? { limit } : { limit, after })
    pages.push([...objects])
    after = next
  } while (after !== undefined)
  return pages
}

const MANY = depth({ common: 60, deep: 520 })

export function listingContract({ open }: StoreKind): void {
  test(`[K-614] ${MANY} objects are listed in order, each once, in full pages`, {
    timeout: 120_000,
  }, async () => {
    await using subject = await open()
    const names = await putMany(subject.store, MANY)
    for (const limit of [1000, MANY, MANY - 1, Math.floor(MANY / 5) - 1]) {
      const pages = await listAll(subject.store, limit)
      expect(pages.flat().map(({ sha256 }) => sha256)).toEqual(names)
      expect(pages.map((page) => page.length)).toEqual(pageLengths(MANY, limit))
    }
  })

  test('[K-613] a listing says the same of an object as stat does', async () => {
    await using subject = await open()
    const { sha256 } = await subject.store.put(inChunks(Buffer.from('one')))
    const stat = await subject.store.stat(sha256)
    expect(await subject.store.list({ limit: 1 })).toEqual({ objects: [{ sha256, ...stat }] })
  })

  test('[K-614] an empty store is one empty page', async () => {
    await using subject = await open()
    expect(await subject.store.list({ limit: 1 })).toEqual({ objects: [] })
  })

  test('[K-614] a page may begin after a name that is not stored', async () => {
    await using subject = await open()
    const names = await putMany(subject.store, 20)
    const between = `${names[9]?.slice(0, 60)}ffff`
    const { objects } = await subject.store.list({ after: between, limit: 100 })
    expect(objects.map(({ sha256 }) => sha256)).toEqual(names.slice(10))
  })

  test('[K-614] what is no object is not listed', async () => {
    await using subject = await open()
    const names = await putMany(subject.store, 3)
    const shard = `${names[0]?.slice(0, 2)}`
    for (const name of [
      'README',
      '00/note',
      `${shard}/${shard}/x`,
      `${shard}/${'0'.repeat(63)}`,
      'zz/zz/zz',
    ]) {
      await subject.litter(name)
    }
    const pages = await listAll(subject.store, 2)
    expect(pages.flat().map(({ sha256 }) => sha256)).toEqual(names)
  })

  test.for([0, -1, 1.5, 1001, Number.NaN])('[K-615] a limit of %d is refused', async (limit) => {
    await using subject = await open()
    await expect(subject.store.list({ limit })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('[K-615] a cursor that is no name is refused', async () => {
    await using subject = await open()
    const listing = subject.store.list({ limit: 10, after: '../../etc' })
    await expect(listing).rejects.toMatchObject({ code: 'invalid_request' })
  })
}

function pageLengths(total: number, limit: number): number[] {
  const full = Array.from({ length: Math.floor(total / limit) }, () => limit)
  return total % limit === 0 ? full : [...full, total % limit]
}
