import { randomUUID } from 'node:crypto'
import { atLatest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { createTestAccess } from '../access.ts'
import { becomesOwner } from './browser.ts'
import { BOARD, startControl, startTwoNodes } from './start-control.ts'

const SOON = { deadlineMs: 10_000, intervalMs: 5 }

test('[D-119] every page is told whether it acts, and how many there are', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using nodes = await startTwoNodes({ access })
  await using first = await nodes.one.open()
  expect(await first.heard('owner')).toMatchObject({ isYou: true, browsers: 1 })
  await using second = await nodes.two.open()
  await second.heard('owner', ({ isYou, browsers }) => isYou && browsers === 2)
  await first.heard('owner', ({ isYou, browsers }) => !isYou && browsers === 2)
  await using reader = await nodes.one.open({ handle: 'bob' })
  await reader.heard('owner', ({ isYou, browsers }) => !isYou && browsers === 3)
  await second.heard('owner', ({ isYou, browsers }) => isYou && browsers === 3)
  for (const browser of [first, second, reader]) {
    const told = browser.all('owner').map((message) => JSON.stringify(message))
    expect(told.filter((text, index) => text === told[index - 1])).toEqual([])
  }
})

test('[D-120] ownership moves at once when the page closes, and when another one gets the focus', async () => {
  await using nodes = await startTwoNodes()
  await using first = await nodes.one.open()
  await using second = await nodes.two.open()
  await becomesOwner(second)
  first.attend({ isFocused: false })
  const focusedAt = performance.now()
  first.attend({ isFocused: true })
  await becomesOwner(first)
  expect(performance.now() - focusedAt).toBeLessThan(atLatest(2_000))
  await waitUntil('the other one knows', () => !second.isOwner(), SOON)

  first.attend({ isVisible: false, isFocused: false })
  await becomesOwner(second)
  first.attend({ isVisible: true })
  // It was focused last, and can be seen again.
  second.attend({ isVisible: false })
  await becomesOwner(first)
  const closedAt = performance.now()
  first.socket.close()
  await becomesOwner(second)
  expect(performance.now() - closedAt).toBeLessThan(atLatest(2_000))
})

test('[D-121] a page that reconnects elsewhere is one browser, and its old connection is closed', async () => {
  await using nodes = await startTwoNodes()
  const browserId = randomUUID()
  await using old = await nodes.one.open({ browserId })
  await becomesOwner(old)
  await using fresh = await nodes.two.open({ browserId })
  expect(await old.closed()).toBe('normal')
  await fresh.heard('owner', ({ isYou, browsers }) => isYou && browsers === 1)

  await using newest = await nodes.two.open({ browserId })
  expect(await fresh.closed()).toBe('normal')
  await newest.heard('owner', ({ isYou, browsers }) => isYou && browsers === 1)
  await waitUntil(
    'nobody else is listed',
    async () => (await nodes.one.control.browsers(BOARD)).length === 1,
    SOON,
  )
  const outcome = await nodes.one.control.send(
    BOARD,
    { kind: 'show', tabId: randomUUID(), revision: 1, state: {} },
    { deadlineMs: 5_000, canRepeat: true },
  )
  expect(outcome).toEqual({ outcome: 'done', result: {} })
  expect(newest.commands).toHaveLength(1)
})

test('[D-122] who has the workspace open is known on every node, the one that acts first', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using nodes = await startTwoNodes({ access })
  const { one, two } = nodes
  expect(await one.control.browsers(BOARD)).toEqual([])
  await using first = await one.open()
  await using second = await two.open()
  await using reader = await two.open({ handle: 'bob' })
  await becomesOwner(second)
  const tabId = randomUUID()
  second.attend({ isSharing: true })
  second.ready(tabId)
  for (const { control } of [one, two]) {
    await waitUntil(
      'all of it is known',
      async () => {
        const list = await control.browsers(BOARD)
        return list.length === 3 && (list[0]?.readyTabs.length ?? 0) > 0
      },
      SOON,
    )
    const listed = await control.browsers(BOARD)
    expect(listed.map(({ browserId }) => browserId)).toEqual([
      second.browserId,
      first.browserId,
      reader.browserId,
    ])
    expect(listed[0]).toMatchObject({ node: 'node-2', isSharing: true, mayAct: true, readyTabs: [tabId] })
    expect(listed[2]).toMatchObject({ mayAct: false })
  }
  second.ready(tabId, false)
  await waitUntil(
    'the frame is not ready',
    async () => (await one.control.browsers(BOARD))[0]?.readyTabs.length === 0,
    SOON,
  )
})

test('[D-118] a page of one node without a bus between nodes acts as soon as it is open', async () => {
  await using node = await startControl()
  await using hidden = await node.open({ isVisible: false, isFocused: false })
  await becomesOwner(hidden)
  await using visible = await node.open({ isFocused: false })
  await becomesOwner(visible)
  expect((await node.control.browsers(BOARD)).map(({ browserId }) => browserId)).toEqual([
    visible.browserId,
    hidden.browserId,
  ])
})
