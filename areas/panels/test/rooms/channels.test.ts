import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { Channel, Page } from '../../src/control.ts'
import { createTestAccess } from '../access.ts'
import { startControl } from './start-control.ts'

const PATIENCE = { deadlineMs: 20_000, intervalMs: 5 }

interface Heard {
  readonly page: Page
  readonly message: unknown
}

function recordingChannel(name: string): Channel & { readonly heard: Heard[]; readonly left: Page[] } {
  const heard: Heard[] = []
  const left: Page[] = []
  return {
    name,
    heard,
    left,
    async receive(page, message) {
      heard.push({ page, message })
      page.send(name, { echo: message })
    },
    leave: (page) => void left.push(page),
  }
}

test('[D-346] another part of the product speaks with a page over its socket, until the page goes', async () => {
  await using node = await startControl()
  const channel = recordingChannel('echo')
  node.connect(channel)
  await using ada = await node.open()
  await using bob = await node.open({ handle: 'bob' })
  ada.send({ type: 'channel', channel: 'echo', message: { text: 'hello' } })
  ada.send({ type: 'channel', channel: 'unknown', message: 1 })
  ada.send({ type: 'channel', channel: 'echo', message: 2 })
  const answer = await ada.heard('channel', ({ message }) => (message as { echo: unknown }).echo === 2)
  expect(answer).toEqual({ type: 'channel', channel: 'echo', message: { echo: 2 } })
  expect(channel.heard.map(({ message }) => message)).toEqual([{ text: 'hello' }, 2])
  const [{ page } = { page: undefined }] = channel.heard
  expect(page).toMatchObject({
    at: { owner: 'ada', repo: 'board' },
    browserId: ada.browserId,
    party: { kind: 'browser', handle: 'ada' },
    mayChange: true,
  })
  expect(bob.all('channel')).toEqual([])
  ada.socket.close()
  await waitUntil('the page to be left', () => channel.left.length === 1, PATIENCE)
  expect(channel.left[0]).toBe(page)
})

test('[D-346] whoever loses the right to change is known to it, and who may not look is not heard', async () => {
  const access = createTestAccess()
  let mayWrite = true
  await using node = await startControl({
    access: {
      ...access,
      isAllowed: async (_who, _area, _owner, _repo, wanted) => wanted === 'read' || mayWrite,
    },
    timings: { recheckMs: 100 },
  })
  const channel = recordingChannel('echo')
  node.connect(channel)
  await using ada = await node.open()
  ada.send({ type: 'channel', channel: 'echo', message: 1 })
  await ada.heard('channel')
  const { page } = channel.heard[0] ?? {}
  expect(page?.mayChange).toBe(true)
  mayWrite = false
  await waitUntil('the right to be gone', () => page?.mayChange === false, PATIENCE)
  await using stranger = await node.open({ opens: false })
  stranger.send({ type: 'channel', channel: 'echo', message: 'before it has opened anything' })
  expect(await stranger.closed()).toBe('policy_violation')
  expect(channel.heard).toHaveLength(1)
})
