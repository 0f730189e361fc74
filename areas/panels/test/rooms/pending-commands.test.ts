import { expect, test } from 'vitest'
import { PendingCommands } from '../../src/rooms/pending-commands.ts'

function pending(takenWithinMs = 60_000) {
  const sent: string[] = []
  const dropped: string[] = []
  const line = {
    offer: (text: string) => sent.push(text) > 0,
    drop: (name: string) => void dropped.push(name),
  }
  return { sent, dropped, pending: new PendingCommands({ line, takenWithinMs, isCongested: () => false }) }
}

test('[D-130] an id that comes again while its command is under way is sent once and answered twice', async () => {
  const { pending: one, sent } = pending()
  const both = [one.run('c', 'text', 60_000), one.run('c', 'text', 60_000)]
  one.taken('c')
  one.done('c', {})
  expect(await Promise.all(both)).toEqual([
    { outcome: 'done', result: {} },
    { outcome: 'done', result: {} },
  ])
  expect(sent).toEqual(['text'])
  // Once it is over, the browser itself answers as before.
  const again = one.run('c', 'text', 60_000)
  one.done('c', {})
  await again
  expect(sent).toEqual(['text', 'text'])
})

test('[D-126] a connection that closes says of each command whether it was sent', async () => {
  const { pending: one, sent } = pending()
  const endings = Array.from({ length: 70 }, (_, index) => one.run(`c${index}`, `${index}`, 60_000))
  one.close()
  const gone = (await Promise.all(endings)).map((ending) => ending.outcome === 'gone' && ending.wasSent)
  expect(gone).toEqual([...Array<boolean>(64).fill(true), ...Array<boolean>(6).fill(false)])
  expect(sent).toHaveLength(64)
  expect(await one.run('late', 'text', 60_000)).toEqual({ outcome: 'gone', wasSent: false })
  expect(one.size).toBe(0)
})

test('[D-124] a browser whose command was over before it took it is dropped all the same', async () => {
  const { pending: one, dropped } = pending(50)
  expect(await one.run('c', 'text', 10)).toEqual({ outcome: 'timeout' })
  await expect.poll(() => dropped).toEqual(['dead_peer'])
})

test('[D-271] a browser that takes or answers a command after its deadline is alive', async () => {
  const { pending: one, dropped } = pending(200)
  expect(await Promise.all([one.run('a', 'text', 10), one.run('b', 'text', 10)])).toEqual([
    { outcome: 'timeout' },
    { outcome: 'timeout' },
  ])
  one.taken('a')
  one.done('b', {})
  // The one that says nothing is judged after both would have been.
  void one.run('c', 'text', 10)
  await expect.poll(() => dropped).not.toEqual([])
  expect(dropped).toEqual(['dead_peer'])
})
