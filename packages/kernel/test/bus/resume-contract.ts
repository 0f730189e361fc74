import { expect, test } from 'vitest'
import { LIFETIMES, type OpenSession, twoNodes, unique } from './rig.ts'

const SEAL = 'Seal_0123456789-'

export function resumeContract(open: OpenSession): void {
  test('[K-580] a seal is a short word, and a part of the claim it was given with', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    expect(await a.claim(key, 'e1', SEAL)).toBe('claimed')
    expect(await a.claim(key, 'e1', SEAL)).toBe('claimed')
    expect(await a.claim(key, 'e1', 'another')).toBe('taken')
    expect(await a.claim(key, 'e1')).toBe('taken')
    expect(await b.claim(key, 'e1', SEAL)).toBe('taken')
    for (const bad of ['', 'two words', 'a.b', 'x'.repeat(33)]) {
      await expect(a.claim(unique('key'), 'e', bad)).rejects.toThrow(TypeError)
      await expect(a.resume(unique('key'), 'e', bad)).rejects.toThrow(TypeError)
    }
    await expect(a.resume(unique('key'), 'e 1', SEAL)).rejects.toThrow(TypeError)
    expect(await a.claim(unique('key'), 'e', 'x'.repeat(32))).toBe('claimed')
  })

  test('[K-581] whoever has the seal takes a held key over, from another node or the same', async () => {
    await using session = await open()
    const [a, b, nodeA, nodeB] = await twoNodes(session)
    const key = unique('key')
    const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
    await a.claim(key, 'e1', SEAL)
    session.clock.advance(400_000)
    expect(await b.resume(key, 'e2', SEAL)).toEqual({ expiresAt, previous: { node: nodeA, epoch: 'e1' } })
    expect(await b.resume(key, 'e3', SEAL)).toEqual({ expiresAt, previous: { node: nodeB, epoch: 'e2' } })
    expect(await a.find(key)).toEqual({ node: nodeB, epoch: 'e3' })
  })

  test('[K-581] a claim that was resumed ends when it would have', async () => {
    await using session = await open()
    const [a, b, , nodeB] = await twoNodes(session)
    const [early, late] = [unique('early'), unique('late')]
    for (const key of [early, late]) await a.claim(key, 'e1', SEAL)
    session.clock.advance(500_000)
    for (const key of [early, late]) await b.resume(key, 'e2', SEAL)
    session.clock.advance(99_000)
    expect(await a.find(early)).toEqual({ node: nodeB, epoch: 'e2' })
    session.clock.advance(2_000)
    expect(await a.find(late)).toBeUndefined()
    expect(await b.claim(late, 'e3')).toBe('claimed')
  })

  test('[K-582] a free key is claimed by resuming it', async () => {
    await using session = await open()
    const [a, b, nodeA] = await twoNodes(session)
    const key = unique('key')
    const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
    expect(await a.resume(key, 'e1', SEAL)).toEqual({ expiresAt, previous: undefined })
    expect(await b.resume(key, 'e2', SEAL)).toEqual({ expiresAt, previous: { node: nodeA, epoch: 'e1' } })
  })

  test.for(['held under another seal', 'held without a seal', 'delivered', 'released'])(
    '[K-582] a key that is %s cannot be resumed',
    async (fate) => {
      await using session = await open()
      const [a, b] = await twoNodes(session)
      const key = unique('key')
      a.onDelivery(() => '')
      await a.claim(key, 'e1', fate === 'held without a seal' ? undefined : SEAL)
      if (fate === 'delivered') await b.deliver(key, '', 5_000)
      if (fate === 'released') await a.release(key, 'e1')
      const before = await b.find(key)
      const seal = fate.startsWith('held') ? 'another' : SEAL
      expect(await b.resume(key, 'e2', seal)).toBeUndefined()
      expect(await a.resume(key, 'e1', seal)).toBeUndefined()
      expect(await b.find(key)).toEqual(before)
      expect(b.ownCount()).toBe(0)
    },
  )

  test('[K-583] a resumption repeated by its own node and epoch replaces nobody', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
    await a.claim(key, 'e1', SEAL)
    expect(await a.resume(key, 'e1', SEAL)).toEqual({ expiresAt, previous: undefined })
    await b.resume(key, 'e2', SEAL)
    session.clock.advance(1_000)
    expect(await b.resume(key, 'e2', SEAL)).toEqual({ expiresAt, previous: undefined })
    expect(await b.claim(key, 'e2', SEAL)).toBe('claimed')
    expect(b.ownCount()).toBe(1)
  })

  test('[K-584] only the holder can suspend, and without a seal that is a release', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const [sealed, plain] = [unique('sealed'), unique('plain')]
    await a.claim(sealed, 'e1', SEAL)
    await a.claim(plain, 'e1')
    expect(await a.suspend(sealed, 'e2')).toBe(false)
    expect(await b.suspend(sealed, 'e1')).toBe(false)
    expect(await a.suspend(unique('nothing'), 'e1')).toBe(false)
    expect(await a.suspend(sealed, 'e1')).toBe(true)
    expect(await a.suspend(sealed, 'e1')).toBe(false)
    expect(await a.suspend(plain, 'e1')).toBe(true)
    expect(await b.find(sealed)).toBe('suspended')
    expect(await b.find(plain)).toBeUndefined()
    expect(await a.release(plain, 'e1')).toBe(false)
    expect(await b.claim(plain, 'e2')).toBe('claimed')
  })

  test('[K-585] a suspended key is there for its seal alone, and is not counted', async () => {
    await using session = await open()
    const [a, b, , nodeB] = await twoNodes(session)
    const key = unique('key')
    const expiresAt = session.clock.now().getTime() + LIFETIMES.ttlMs
    await a.claim(key, 'e1', SEAL)
    await a.suspend(key, 'e1')
    expect(a.ownCount()).toBe(0)
    expect(await b.deliver(key, 'message', 5_000)).toEqual({ outcome: 'suspended' })
    expect(await a.release(key, 'e1')).toBe(false)
    expect(await a.release(key, '')).toBe(false)
    expect(await b.claim(key, 'e2', SEAL)).toBe('taken')
    expect(await a.claim(key, 'e1', SEAL)).toBe('taken')
    expect(await b.resume(key, 'e2', 'another')).toBeUndefined()
    expect(await a.find(key)).toBe('suspended')
    session.clock.advance(300_000)
    expect(await b.resume(key, 'e2', SEAL)).toEqual({ expiresAt, previous: undefined })
    expect(await a.find(key)).toEqual({ node: nodeB, epoch: 'e2' })
  })

  test('[K-585] a suspended claim ends when it would have, and the key is free then', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1', SEAL)
    session.clock.advance(300_000)
    await a.suspend(key, 'e1')
    session.clock.advance(299_999)
    expect(await b.find(key)).toBe('suspended')
    session.clock.advance(1)
    expect(await b.find(key)).toBeUndefined()
    expect(await b.deliver(key, '', 5_000)).toEqual({ outcome: 'absent' })
    expect(await b.resume(key, 'e2', SEAL)).toMatchObject({ previous: undefined })
  })

  test('[K-586] looking for a key changes nothing', async () => {
    await using session = await open()
    const [a, b, nodeA] = await twoNodes(session)
    const key = unique('key')
    expect(await b.find(key)).toBeUndefined()
    await a.claim(key, 'e1')
    expect(await b.find(key)).toEqual({ node: nodeA, epoch: 'e1' })
    session.clock.advance(599_999)
    expect(await b.find(key)).toEqual({ node: nodeA, epoch: 'e1' })
    session.clock.advance(1)
    expect(await b.find(key)).toBeUndefined()
    session.clock.advance(120_000)
    expect(await b.claim(key, 'e2')).toBe('claimed')
    await b.release(key, 'e2')
    expect(await b.find(key)).toBeUndefined()
  })

  test('[K-593] what a node does with a holding that was resumed elsewhere does no harm', async () => {
    await using session = await open()
    const [a, b, , nodeB] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1', SEAL)
    await b.resume(key, 'e2', SEAL)
    expect(await a.release(key, 'e1')).toBe(false)
    expect(await a.suspend(key, 'e1')).toBe(false)
    expect(await a.claim(key, 'e1', SEAL)).toBe('taken')
    a.settle(key, 'e1')
    expect([a.ownCount(), b.ownCount()]).toEqual([0, 1])
    expect(await a.find(key)).toEqual({ node: nodeB, epoch: 'e2' })
  })

  test('[K-593] a late word about an old holding leaves the new one counted', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const key = unique('key')
    await a.claim(key, 'e1', SEAL)
    await b.resume(key, 'e2', SEAL)
    await a.resume(key, 'e3', SEAL)
    a.settle(key, 'e1')
    b.settle(key, 'e2')
    expect([a.ownCount(), b.ownCount()]).toEqual([1, 0])
    a.settle(key, 'e3')
    expect(a.ownCount()).toBe(0)
  })
}
