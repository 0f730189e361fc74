import { expect, test } from 'vitest'
import { MAX_OBJECT_BYTES } from '../../src/objects/index.ts'
import { byteLimit } from '../../src/objects/object-name.ts'
import { hangingAfter, inChunks, MIB, patterned, Source, sha256Of } from './bytes.ts'
import type { StoreKind, StoreUnderTest } from './store-under-test.ts'

async function expectNothingStored({ store, leftovers }: StoreUnderTest): Promise<void> {
  expect((await store.list({ limit: 10 })).objects).toEqual([])
  expect(await leftovers()).toEqual([])
}

export function refusingContract({ open }: StoreKind): void {
  test('[K-605] one byte too many is refused, the limit itself is not', async () => {
    await using subject = await open()
    const refused = subject.store.put(inChunks(patterned(1001)), { maxBytes: 1000 })
    await expect(refused).rejects.toMatchObject({ name: 'ObjectRefused', reason: 'too_large' })
    await expectNothingStored(subject)
    const broken = subject.store.put(inChunks(patterned(1)), { maxBytes: Number.NaN })
    await expect(broken).rejects.toMatchObject({ reason: 'too_large' })
    expect(await subject.store.put(inChunks(patterned(1000)), { maxBytes: 1000 })).toMatchObject({
      size: 1000,
    })
  })

  test('[K-605] reading stops at the limit and the source is closed', async () => {
    await using subject = await open()
    const source = inChunks(patterned(20 * MIB), MIB)
    await expect(subject.store.put(source, { maxBytes: 3 * MIB })).rejects.toThrow('more bytes than allowed')
    expect(source.pulled).toBe(4)
    await expect.poll(() => source.closed).toBe(true)
    await expectNothingStored(subject)
  })

  test('[K-605] no caller can ask for more than 5 GiB', () => {
    expect(byteLimit()).toBe(MAX_OBJECT_BYTES)
    expect(byteLimit(Number.POSITIVE_INFINITY)).toBe(MAX_OBJECT_BYTES)
    expect(byteLimit(MAX_OBJECT_BYTES - 1)).toBe(MAX_OBJECT_BYTES - 1)
  })

  test('[K-606] other bytes than expected are refused', async () => {
    await using subject = await open()
    const expectedSha256 = sha256Of(patterned(500))
    const refused = subject.store.put(inChunks(patterned(501)), { expectedSha256 })
    await expect(refused).rejects.toMatchObject({ name: 'ObjectRefused', reason: 'hash_mismatch' })
    await expectNothingStored(subject)
    const stored = await subject.store.put(inChunks(patterned(500)), { expectedSha256 })
    expect(stored).toMatchObject({ sha256: expectedSha256, created: true })
  })

  test('[K-606] an expectation that is no name is refused before the source is read', async () => {
    await using subject = await open()
    const source = inChunks(patterned(10))
    const refused = subject.store.put(source, { expectedSha256: sha256Of(patterned(10)).toUpperCase() })
    await expect(refused).rejects.toMatchObject({ reason: 'hash_mismatch' })
    expect(source.pulled).toBe(0)
  })

  test('[K-607] an error of the producer arrives as it is', async () => {
    await using subject = await open()
    const failure = Object.assign(new Error('the producer has no space left'), { code: 'ENOSPC' })
    async function* failing() {
      yield patterned(2 * MIB)
      throw failure
    }
    await expect(subject.store.put(failing())).rejects.toBe(failure)
    await expectNothingStored(subject)
  })

  test('[K-607] a source of text is refused', async () => {
    await using subject = await open()
    const text = new Source(['a', 'b'] as unknown as Uint8Array[])
    await expect(subject.store.put(text)).rejects.toThrow(TypeError)
    await expectNothingStored(subject)
  })

  test('[K-608] an aborted put ends at once, although its producer hangs', async () => {
    await using subject = await open()
    const { source, started } = hangingAfter(patterned(2 * MIB))
    const controller = new AbortController()
    const put = subject.store.put(source, { signal: controller.signal })
    await started
    const reason = new Error('the person closed the page')
    controller.abort(reason)
    await expect(put).rejects.toBe(reason)
    await expectNothingStored(subject)
  })

  test('[K-608] an aborted signal lets no put begin', async () => {
    await using subject = await open()
    const source = inChunks(patterned(10))
    const reason = new Error('too late')
    await expect(subject.store.put(source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(source.pulled).toBe(0)
  })
}
