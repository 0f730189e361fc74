import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type OpenSession, unique, VICTIM_LIFETIMES } from './rig.ts'

export function channelContract(open: OpenSession): void {
  test('[K-511] a message is answered by the handler of its topic on the node it names', async () => {
    await using session = await open()
    const [a, b, c] = await Promise.all([session.connect(), session.connect(), session.connect()])
    for (const bus of [b, c]) {
      bus.channel.handle('greet', (message) => `${bus.node} heard ${message}`)
      bus.channel.handle('count', async (message) => `${message.length}`)
    }
    const strange = 'line\nbreak, "quotes", spaces  and ünïcödé \u{1F50C}'
    expect(await a.channel.send(b.node, 'greet', strange, 2_000)).toEqual({
      outcome: 'answered',
      reply: `${b.node} heard ${strange}`,
    })
    expect(await a.channel.send(c.node, 'greet', '', 2_000)).toEqual({
      outcome: 'answered',
      reply: `${c.node} heard `,
    })
    expect(await c.channel.send(b.node, 'count', 'x'.repeat(100_000), 2_000)).toEqual({
      outcome: 'answered',
      reply: '100000',
    })
  })

  test('[K-511] a thousand messages at once get each its own answer', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    b.channel.handle('echo', (message) => message)
    const numbers = Array.from({ length: 1_000 }, (_, index) => `${index}`)
    const answers = await Promise.all(numbers.map((number) => a.channel.send(b.node, 'echo', number, 5_000)))
    expect(answers).toEqual(numbers.map((reply) => ({ outcome: 'answered', reply })))
  })

  test('[K-512] a node that was never there, or has closed, is gone', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    b.channel.handle('echo', (message) => message)
    await b.close()
    const gone = { outcome: 'gone' }
    expect(await a.channel.send(b.node, 'echo', '', 1_000)).toEqual(gone)
    expect(await a.channel.send(unique('nobody'), 'echo', '', 1_000)).toEqual(gone)
    expect(await a.channel.send('{not} a node', 'echo', '', 1_000)).toEqual(gone)
    expect(await a.channel.send('', 'echo', '', 1_000)).toEqual(gone)
  })

  deepTest('[K-512] within 2 s of its end a killed node is gone for senders, counts and rooms', async () => {
    await using session = await open()
    const bus = await session.connect()
    const room = unique('room')
    const directory = bus.directory('victims', VICTIM_LIFETIMES)
    const victim = await session.startVictim(room)
    expect(await bus.channel.send(victim.node, 'echo', 'here', 2_000)).toMatchObject({ reply: 'here' })
    expect((await bus.presence.members(room)).map(({ node }) => node)).toEqual([victim.node])
    await waitUntil('the claim is counted', async () => (await directory.count()) === 1, { intervalMs: 20 })
    const [killed] = [performance.now(), await victim.kill()]
    // Lease and census are two writes of one heartbeat: on a busy machine they end some milliseconds apart.
    const isGone = async () => {
      const { outcome } = await bus.channel.send(victim.node, 'echo', '', 50)
      return outcome === 'gone' && (await directory.count()) === 0
    }
    await waitUntil('the node is gone', isGone, { intervalMs: 5 })
    expect(performance.now() - killed).toBeLessThan(2_200)
    expect(await bus.presence.members(room)).toEqual([])
    expect(await directory.find(room)).toEqual({ node: victim.node, epoch: 'e' })
  })

  test('[K-513] silence is a timeout at the deadline: no handler, one that throws, one that is slow', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    b.channel.handle('throws', () => {
      throw new Error('expected in this test')
    })
    b.channel.handle('slow', () => new Promise((resolve) => setTimeout(() => resolve('late'), 300)))
    const start = performance.now()
    const outcomes = await Promise.all(
      ['missing', 'throws', 'slow'].map((topic) => a.channel.send(b.node, topic, '', 150)),
    )
    expect(outcomes).toEqual([{ outcome: 'timeout' }, { outcome: 'timeout' }, { outcome: 'timeout' }])
    expect(performance.now() - start).toBeGreaterThan(145)
    expect(performance.now() - start).toBeLessThan(atLatest(600))
  })

  test('[K-514] a node can send to itself', async () => {
    await using session = await open()
    const bus = await session.connect()
    bus.channel.handle('echo', (message) => message)
    expect(await bus.channel.send(bus.node, 'echo', 'me', 1_000)).toEqual({
      outcome: 'answered',
      reply: 'me',
    })
    expect(await bus.channel.send(bus.node, 'missing', '', 30)).toEqual({ outcome: 'timeout' })
  })

  test('[K-515] a topic has one handler', async () => {
    await using session = await open()
    const bus = await session.connect()
    bus.channel.handle('once', () => '')
    expect(() => bus.channel.handle('once', () => '')).toThrow(TypeError)
    expect(() => bus.channel.handle('two words', () => '')).toThrow(TypeError)
    await expect(bus.channel.send(bus.node, 'two words', '', 10)).rejects.toThrow(TypeError)
  })
}
