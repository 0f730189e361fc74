import { expect, test } from 'vitest'
import { LIFETIMES, type OpenSession, refusal, twoNodes, unique } from './rig.ts'

export function deliveryContract(open: OpenSession): void {
  test('[K-587] a message reaches the holding it is for, and its reply comes back', async () => {
    await using session = await open()
    const [a, b, nodeA, nodeB] = await twoNodes(session)
    a.onDelivery((epoch, message) => `${nodeA} ${epoch} ${message}`)
    b.onDelivery(async (epoch, message) => `${nodeB} ${epoch} ${message}`)
    const [inA, inB] = [unique('key'), unique('key')]
    await a.claim(inA, 'E_1.x-y')
    await b.claim(inB, 'e2', 'seal')
    const strange = ' line\nbreak, "quotes", spaces  and ünïcödé \u{1F50C} '
    expect(await b.deliver(inA, strange, 5_000)).toEqual({
      outcome: 'answered',
      reply: `${nodeA} E_1.x-y ${strange}`,
    })
    expect(await a.deliver(inB, '', 5_000)).toEqual({ outcome: 'answered', reply: `${nodeB} e2 ` })
  })

  test('[K-587] of a thousand deliveries on two nodes, one is made', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const received: string[] = []
    a.onDelivery((_, message) => `${received.push(message)}`)
    const key = unique('key')
    await a.claim(key, 'e')
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => (index % 2 === 0 ? a : b).deliver(key, `${index}`, 10_000)),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'answered')).toEqual([
      { outcome: 'answered', reply: '1' },
    ])
    expect(outcomes.filter(({ outcome }) => outcome === 'absent')).toHaveLength(999)
    expect(received).toHaveLength(1)
  })

  test('[K-587] after a resumption the message goes to the new holder', async () => {
    await using session = await open()
    const [a, b, , nodeB] = await twoNodes(session)
    a.onDelivery(() => 'old')
    b.onDelivery((epoch) => `${nodeB} ${epoch}`)
    const key = unique('key')
    await a.claim(key, 'e1', 'seal')
    await b.resume(key, 'e2', 'seal')
    expect(await a.deliver(key, '', 5_000)).toEqual({ outcome: 'answered', reply: `${nodeB} e2` })
    expect(await b.resume(key, 'e3', 'seal')).toBeUndefined()
  })

  test('[K-588] nothing to deliver to is absent, and a delivery ends the key whatever comes of it', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    b.onDelivery(() => {
      throw new Error('expected in this test')
    })
    const never = unique('never')
    const [failed, late] = [unique('failed'), unique('late')]
    await Promise.all([failed, late].map((key) => b.claim(key, 'e', 'seal')))
    expect(await a.deliver(never, '', 5_000)).toEqual({ outcome: 'absent' })
    expect(await a.deliver(failed, '', 150)).toEqual({ outcome: 'timeout' })
    expect(await a.deliver(failed, '', 5_000)).toEqual({ outcome: 'absent' })
    expect(await b.resume(failed, 'e2', 'seal')).toBeUndefined()
    session.clock.advance(LIFETIMES.ttlMs)
    expect(await a.deliver(late, '', 5_000)).toEqual({ outcome: 'absent' })
  })

  test('[K-588] a holder whose node has closed is gone', async () => {
    await using session = await open()
    const [a, b, , , busB] = await twoNodes(session)
    b.onDelivery(() => '')
    const key = unique('key')
    await b.claim(key, 'e', 'seal')
    await busB.close()
    expect(await a.deliver(key, '', 5_000)).toEqual({ outcome: 'gone' })
    expect(await a.find(key)).toBeUndefined()
    expect(await a.resume(key, 'e2', 'seal')).toBeUndefined()
  })

  test('[K-589] a node delivers to itself, within the deadline', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const { promise: never } = Promise.withResolvers<string>()
    a.onDelivery((epoch, message) => (message === 'hang' ? never : `${epoch} ${message}`))
    const [quick, slow] = [unique('quick'), unique('slow')]
    await Promise.all([a.claim(quick, 'e1'), a.claim(slow, 'e2')])
    expect(await a.deliver(quick, 'me', 5_000)).toEqual({ outcome: 'answered', reply: 'e1 me' })
    expect(await a.deliver(slow, 'hang', 100)).toEqual({ outcome: 'timeout' })
    expect(a.ownCount()).toBe(0)
    expect(await b.find(slow)).toBeUndefined()
  })

  test('[K-590] a directory has one handler on each node; without one the sender sees a timeout', async () => {
    await using session = await open()
    const [a, b, , , busB] = await twoNodes(session)
    const [remote, own] = [unique('key'), unique('key')]
    await Promise.all([b.claim(remote, 'e'), a.claim(own, 'e')])
    const start = performance.now()
    const outcomes = await Promise.all([a.deliver(remote, '', 150), a.deliver(own, '', 150)])
    expect(outcomes).toEqual([{ outcome: 'timeout' }, { outcome: 'timeout' }])
    expect(performance.now() - start).toBeGreaterThan(145)
    b.onDelivery(() => 'first')
    expect(() => b.onDelivery(() => 'second')).toThrow(TypeError)
    const other = busB.directory(unique('directory'), LIFETIMES)
    other.onDelivery(() => 'other')
    await other.claim(remote, 'e')
    expect(await other.deliver(remote, '', 5_000)).toMatchObject({ reply: 'other' })
  })

  test('[K-591] what is delivered is off the count before its handler runs, handler or not', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    const keys = Array.from({ length: 3 }, () => unique('key'))
    await Promise.all(keys.map((key, index) => b.claim(key, `e${index}`)))
    expect(await a.deliver(keys[0] ?? '', '', 100)).toEqual({ outcome: 'timeout' })
    expect(b.ownCount()).toBe(2)
    b.onDelivery(() => `${b.ownCount()}`)
    expect(await a.deliver(keys[1] ?? '', '', 5_000)).toMatchObject({ reply: '1' })
    expect(await b.deliver(keys[2] ?? '', '', 5_000)).toMatchObject({ reply: '0' })
  })

  test('[K-592] a bus that is closed delivers nothing, and takes nothing', async () => {
    await using session = await open()
    const [a, b, , nodeB, , busA] = await twoNodes(session)
    b.onDelivery(() => '')
    const key = unique('key')
    await b.claim(key, 'e')
    await busA.close()
    expect((await refusal(() => a.deliver(key, '', 5_000))).code).toBe('bus_unavailable')
    expect(await b.find(key)).toEqual({ node: nodeB, epoch: 'e' })
  })

  test('[K-597] replies that leave together arrive each as it was given', async () => {
    await using session = await open()
    const [a, b] = await twoNodes(session)
    b.onDelivery((_, message) => message)
    const texts = ['', ' ', '1 5 abcde', 'a 1 1 x', '\n\0', 'ü\u{1F50C}', 'x'.repeat(70_000), '12', 'd a b c']
    const messages = Array.from({ length: 300 }, (_, index) => `${texts[index % texts.length]}`)
    const keys = messages.map(() => unique('key'))
    await Promise.all(keys.map((key) => b.claim(key, 'e')))
    const outcomes = await Promise.all(
      keys.map((key, index) => a.deliver(key, messages[index] ?? '', 10_000)),
    )
    expect(outcomes).toEqual(messages.map((reply) => ({ outcome: 'answered', reply })))
  })
}
