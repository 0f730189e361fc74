import { expect, test } from 'vitest'
import { collect, found, inChunks, patterned, sha256Of } from './bytes.ts'
import type { StoreKind } from './store-under-test.ts'

const UNAVAILABLE = { name: 'Problem', code: 'objects_unavailable' }

export function deletingContract({ open, openMissing }: StoreKind): void {
  test('[K-616] an object is deleted once and can be put again', async () => {
    await using subject = await open()
    const bytes = patterned(100)
    const { sha256 } = await subject.store.put(inChunks(bytes))
    const other = await subject.store.put(inChunks(patterned(101)))
    expect(await subject.store.delete(sha256)).toBe(true)
    expect(await subject.store.delete(sha256)).toBe(false)
    expect(await subject.store.get(sha256)).toBeUndefined()
    const { objects } = await subject.store.list({ limit: 10 })
    expect(objects.map((object) => object.sha256)).toEqual([other.sha256])
    expect(await subject.store.put(inChunks(bytes))).toMatchObject({ sha256, created: true })
    const content = await subject.store.get(sha256)
    expect(bytes.equals(await collect(found(content).stream))).toBe(true)
  })

  test('[K-618] ping resolves for a store that can be used', async () => {
    await using subject = await open()
    await expect(subject.store.ping()).resolves.toBeUndefined()
  })

  test('[K-618] ping rejects for a store that is not there', async () => {
    await using store = await openMissing()
    await expect(store.ping()).rejects.toMatchObject(UNAVAILABLE)
  })

  test('[K-619] a store that is not there does not pretend to be empty', async () => {
    await using store = await openMissing()
    const name = sha256Of(patterned(10))
    await expect(store.get(name)).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.stat(name)).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.delete(name)).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.list({ limit: 10 })).rejects.toMatchObject(UNAVAILABLE)
    await expect(store.put(inChunks(patterned(10)))).rejects.toMatchObject(UNAVAILABLE)
  })
}
