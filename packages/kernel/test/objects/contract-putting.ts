import { setTimeout as sleep } from 'node:timers/promises'
import { depth } from '@patchbay/testkit/depth'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, collect, found, inChunks, MIB, patterned, Source, sha256Of } from './bytes.ts'
import { probeMemory } from './memory.ts'
import type { StoreKind } from './store-under-test.ts'

/** Twice what may be held of it, or more. */
const LARGE_MIB = depth({ common: 12, deep: 20 })

export function puttingContract({ open }: StoreKind): void {
  test.for([0, 1, 65_535, 65_536, 65_537, 262_144, MIB - 1, MIB, MIB + 1, 2 * MIB])(
    '[K-601] an object of %d bytes comes back as it was put',
    async (size) => {
      await using subject = await open()
      const bytes = patterned(size)
      const stored = await subject.store.put(inChunks(bytes))
      expect(stored).toEqual({ sha256: sha256Of(bytes), size, created: true })
      const content = await subject.store.get(stored.sha256)
      expect(content?.size).toBe(size)
      expect(bytes.equals(await collect(found(content).stream))).toBe(true)
    },
  )

  test('[K-601] how the bytes were cut makes no difference', async () => {
    await using subject = await open()
    const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(chunks, async (parts) => {
        const whole = Buffer.concat(parts)
        const { sha256, size } = await subject.store.put(new Source(parts))
        expect([sha256, size]).toEqual([sha256Of(whole), whole.byteLength])
        const content = await subject.store.get(sha256)
        expect(whole.equals(await collect(found(content).stream))).toBe(true)
      }),
      { numRuns: depth({ common: 8, deep: 25 }) },
    )
  })

  test('[K-603] the same bytes again are not written again', async () => {
    await using subject = await open()
    const first = await subject.store.put(inChunks(patterned(1000)))
    const { storedAt } = (await subject.store.stat(first.sha256)) ?? {}
    // A store that keeps whole seconds must get the chance to show another one.
    await sleep(1050 - (Date.now() % 1000))
    expect(await subject.store.put(inChunks(patterned(1000), 7))).toEqual({ ...first, created: false })
    expect((await subject.store.stat(first.sha256))?.storedAt).toEqual(storedAt)
    expect(await subject.leftovers()).toEqual([])
  })

  test('[K-604] twenty puts of the same bytes at once leave one object', async () => {
    await using subject = await open()
    const bytes = patterned(200_000)
    const puts = Array.from({ length: 20 }, () => subject.store.put(inChunks(bytes)))
    const stored = await Promise.all(puts)
    expect(new Set(stored.map(({ sha256 }) => sha256))).toEqual(new Set([sha256Of(bytes)]))
    expect(stored.some(({ created }) => created)).toBe(true)
    expect((await subject.store.list({ limit: 10 })).objects).toHaveLength(1)
    expect(await subject.leftovers()).toEqual([])
  })

  test('[K-608] a slow producer is waited for', async () => {
    await using subject = await open()
    async function* slowly() {
      for (const part of ['one ', 'two ', 'three']) {
        await sleep(150)
        yield Buffer.from(part)
      }
    }
    expect(await subject.store.put(slowly())).toMatchObject({
      sha256: sha256Of(Buffer.from('one two three')),
    })
  })

  test(`[K-609] an object of ${LARGE_MIB} MB passes in both directions in less than 6 MB`, async () => {
    await using subject = await open()
    using probe = probeMemory()
    const chunk = patterned(64 * 1024)
    async function* chunks() {
      for (let sent = 0; sent < LARGE_MIB * 16; sent += 1) {
        yield chunk
        if (sent % 64 === 63) probe.sample()
      }
    }
    const { sha256 } = await subject.store.put(chunks())
    const content = await subject.store.get(sha256)
    let received = 0
    let sampled = 0
    for await (const part of bytesOf(found(content).stream)) {
      received += part.byteLength
      if (received - sampled < 4 * MIB) continue
      probe.sample()
      sampled = received
    }
    expect(received).toBe(LARGE_MIB * MIB)
    expect(probe.peak()).toBeLessThan(6 * MIB)
  })

  test('[K-617] a truncated copy is replaced by the next put', async () => {
    await using subject = await open()
    const bytes = patterned(5000)
    const { sha256 } = await subject.store.put(inChunks(bytes))
    await subject.damage(sha256, bytes.subarray(0, 4000))
    expect(await subject.store.put(inChunks(bytes))).toMatchObject({ sha256, created: true })
    const content = await subject.store.get(sha256)
    expect(bytes.equals(await collect(found(content).stream))).toBe(true)
  })
}
