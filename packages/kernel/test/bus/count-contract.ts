import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { LIFETIMES, type OpenSession, unique } from './rig.ts'

export function countContract(open: OpenSession): void {
  test('[K-508] a node counts its own live claims exactly', async () => {
    await using session = await open()
    const bus = await session.connect()
    const directory = bus.directory(unique('directory'), LIFETIMES)
    for (const key of ['1', '2', '3', '4']) await directory.claim(key, 'e')
    await directory.claim('1', 'e')
    await directory.claim('1', 'f')
    expect(await directory.count()).toBe(4)
    await directory.deliver('1', '', 20)
    await directory.release('2', 'e')
    expect(await directory.count()).toBe(2)
    session.clock.advance(1_000)
    await directory.claim('5', 'e')
    session.clock.advance(599_500)
    expect(await directory.count()).toBe(1)
  })

  test('[K-508] the claims of all live nodes add up within a heartbeat, also when another node resumed one', async () => {
    await using session = await open()
    const name = unique('directory')
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const [inA, inB] = [a.directory(name, LIFETIMES), b.directory(name, LIFETIMES)]
    await Promise.all([inA.claim('1', 'e', 'seal'), inA.claim('2', 'e'), inB.claim('3', 'e')])
    await waitUntil('three claims', async () => (await inA.count()) === 3 && (await inB.count()) === 3, QUICK)
    await inB.resume('1', 'f', 'seal')
    inA.settle('1', 'e')
    expect([inA.ownCount(), inB.ownCount()]).toEqual([1, 2])
    await waitUntil('still three claims', async () => (await inA.count()) === 3, QUICK)
    await a.close()
    expect(await inB.count()).toBe(2)
  })
}

const QUICK = { intervalMs: 20 }
