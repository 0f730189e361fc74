import { expect, test } from 'vitest'
import { type OpenSession, unique } from './rig.ts'

export function presenceContract(open: OpenSession): void {
  test('[K-531] who joins a room is seen on every node until it leaves', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const room = unique('room')
    await a.presence.join(room, 'ada', '{"tab":1}')
    await b.presence.join(room, 'bob', 'with spaces')
    await b.presence.join(unique('room'), 'eve', '')
    const both = [
      { id: 'ada', node: a.node, info: '{"tab":1}' },
      { id: 'bob', node: b.node, info: 'with spaces' },
    ]
    expect(await a.presence.members(room)).toEqual(both)
    expect(await b.presence.members(room)).toEqual(both)
    await a.presence.leave(room, 'ada')
    expect(await b.presence.members(room)).toEqual(both.slice(1))
    await b.presence.leave(room, 'bob')
    await b.presence.leave(room, 'nobody')
    expect(await a.presence.members(room)).toEqual([])
  })

  test('[K-532] the same id is one member per node, and its last info counts', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect('a'.repeat(8)), session.connect('b'.repeat(8))])
    const room = unique('room')
    await a.presence.join(room, 'same id', 'old')
    await a.presence.join(room, 'same id', 'new')
    await b.presence.join(room, 'same id', '')
    expect(await a.presence.members(room)).toEqual([
      { id: 'same id', node: a.node, info: 'new' },
      { id: 'same id', node: b.node, info: '' },
    ])
  })

  test('[K-533] the members of a node that closed are gone at once', async () => {
    await using session = await open()
    const [a, b] = await Promise.all([session.connect(), session.connect()])
    const room = unique('room')
    await a.presence.join(room, 'ada', '')
    await b.presence.join(room, 'bob', '')
    await b.close()
    expect((await a.presence.members(room)).map(({ id }) => id)).toEqual(['ada'])
  })
}
