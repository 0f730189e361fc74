import { setTimeout as sleep } from 'node:timers/promises'
import { atLatest, deepTest, depth } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect, test } from 'vitest'
import { createS3Objects, type ObjectStore } from '../../src/objects/index.ts'
import { bytesOf, collect, found, inChunks, MIB, patterned, sha256Of } from './bytes.ts'
import { temporaryFolder } from './open-files.ts'
import { s3Options } from './open-s3.ts'
import { type RelayFaults, startRelay } from './relay.ts'
import { describeWithRadosgw, type Started } from './with-radosgw.ts'

const UNAVAILABLE = { name: 'Problem', code: 'objects_unavailable' }
const NAME = sha256Of(patterned(10))

const CALLS: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
  ping: (store) => store.ping(),
  get: (store) => store.get(NAME),
  stat: (store) => store.stat(NAME),
  list: (store) => store.list({ limit: 10 }),
  delete: (store) => store.delete(NAME),
  put: (store) => store.put(inChunks(patterned(10))),
}

/** Two ways to the same objects: one through a relay with the given faults, one around it. */
async function openFaulty({ radosgw }: Started, faults: RelayFaults, deadlineMs: number) {
  const stack = new AsyncDisposableStack()
  const relay = stack.use(await startRelay(radosgw.endpoint, faults))
  const folder = stack.use(await temporaryFolder())
  const options = s3Options(radosgw, folder.path)
  const direct = stack.use(await createS3Objects(options))
  const store = stack.use(await createS3Objects({ ...options, endpoint: relay.endpoint, deadlineMs }))
  return { store, direct, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

describeWithRadosgw('S3 that fails', (started) => {
  test.for(Object.entries(CALLS).slice(depth({ common: -1, deep: 0 })))(
    '[K-634] %s of a store that refuses connections',
    async ([, call]) => {
      await using folder = await temporaryFolder()
      const endpoint = `http://127.0.0.1:${await freePort()}`
      await using store = await createS3Objects({ ...s3Options(started().radosgw, folder.path), endpoint })
      const began = performance.now()
      await expect(call(store)).rejects.toMatchObject(UNAVAILABLE)
      expect(performance.now() - began).toBeLessThan(10_000)
    },
  )

  deepTest(
    '[K-634] a store that hangs is unavailable within the deadline, and usable as soon as it answers',
    async () => {
      const { radosgw } = started()
      await using folder = await temporaryFolder()
      await using store = await createS3Objects({ ...s3Options(radosgw, folder.path), deadlineMs: 800 })
      await store.ping()
      radosgw.pause()
      try {
        const began = performance.now()
        const outcomes = await Promise.allSettled(Object.values(CALLS).map((call) => call(store)))
        expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
          outcomes.map(() => expect.objectContaining(UNAVAILABLE)),
        )
        expect(performance.now() - began).toBeLessThan(atLatest(6_000))
      } finally {
        radosgw.resume()
      }
      const putAgain = () =>
        store.put(inChunks(patterned(10))).then(
          ({ sha256 }) => sha256,
          () => 'down',
        )
      await expect.poll(putAgain).toBe(NAME)
    },
  )

  test('[K-634] an abort does not wait for a store that hangs', async () => {
    const { radosgw } = started()
    await using folder = await temporaryFolder()
    await using store = await createS3Objects(s3Options(radosgw, folder.path))
    const reason = new Error('nobody waits anymore')
    radosgw.pause()
    try {
      const controller = new AbortController()
      const { signal } = controller
      const calls = [store.get(NAME, { signal }), store.put(inChunks(patterned(10)), { signal })]
      setTimeout(() => controller.abort(reason), 200)
      const outcomes = await Promise.allSettled(calls)
      expect(outcomes).toEqual(calls.map(() => ({ status: 'rejected', reason })))
    } finally {
      radosgw.resume()
    }
  })

  test.for(depth({ common: ['cut'] as const, deep: ['cut', 'hold'] as const }))(
    '[K-636] a download fails when the network says: %s',
    async (fate) => {
      let seen = 0
      const answer = (chunk: Buffer) => {
        seen += chunk.byteLength
        return seen > 2 * MIB ? fate : chunk
      }
      await using faulty = await openFaulty(started(), { answer }, 1000)
      const { sha256 } = await faulty.direct.put(inChunks(patterned(8 * MIB)))
      const content = await faulty.store.get(sha256)
      expect(content?.size).toBe(8 * MIB)
      await expect(collect(found(content).stream)).rejects.toMatchObject(UNAVAILABLE)
    },
  )

  deepTest('[K-636] a reader may pause for longer than the deadline', async () => {
    await using faulty = await openFaulty(started(), {}, 1000)
    const bytes = patterned(12 * MIB)
    const { sha256 } = await faulty.direct.put(inChunks(bytes))
    const content = await faulty.store.get(sha256)
    const parts: Buffer[] = []
    for await (const part of bytesOf(found(content).stream)) {
      if (parts.length === 20) await sleep(1400)
      parts.push(part)
    }
    expect(bytes.equals(Buffer.concat(parts))).toBe(true)
  })

  test.for([
    [2, 'is sent again', 3],
    [3, 'is given up', 3],
  ] as const)('[K-639] an upload whose connection breaks %i times %s', async ([breaks, , expected]) => {
    let uploads = 0
    const request = (chunk: Buffer) => {
      if (chunk.subarray(0, 4).toString() !== 'PUT ') return chunk
      uploads += 1
      return uploads > breaks ? chunk : 'cut'
    }
    await using faulty = await openFaulty(started(), { request }, 5000)
    const put = faulty.store.put(inChunks(patterned(100_000)))
    const outcome = await put.then(
      ({ created }) => created,
      (error: { code: string }) => error.code,
    )
    expect(outcome).toBe(breaks < 3 ? true : 'objects_unavailable')
    expect(uploads).toBe(expected)
  })

  deepTest('[K-634] an upload that stands still is given up', async () => {
    let seen = 0
    const request = (chunk: Buffer) => {
      seen += chunk.byteLength
      return seen > MIB ? 'hold' : chunk
    }
    await using faulty = await openFaulty(started(), { request }, 600)
    const began = performance.now()
    await expect(faulty.store.put(inChunks(patterned(16 * MIB)))).rejects.toMatchObject(UNAVAILABLE)
    expect(performance.now() - began).toBeLessThan(atLatest(8_000))
  })
})
