import { randomUUID } from 'node:crypto'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { CommandOutcome } from '../../src/control.ts'
import { createTestAccess } from '../access.ts'
import { type BrowserOptions, becomesOwner, carryOut, type TestBrowser } from './browser.ts'
import { BOARD, type ControlUnderTest, startControl, startTwoNodes } from './start-control.ts'

interface Sending {
  readonly deadlineMs?: number
  readonly canRepeat?: boolean
}

function show(
  { control }: Pick<ControlUnderTest, 'control'>,
  revision = 1,
  { deadlineMs = 10_000, canRepeat = true }: Sending = {},
): Promise<CommandOutcome> {
  return control.send(
    BOARD,
    { kind: 'show', tabId: randomUUID(), revision, state: {} },
    { deadlineMs, canRepeat },
  )
}

function revisionsOf(...browsers: readonly TestBrowser[]): number[] {
  return browsers
    .flatMap(({ commands }) => commands)
    .map(({ command }) => ('revision' in command ? command.revision : 0))
    .toSorted((one, other) => one - other)
}

const silent: BrowserOptions['onCommand'] = () => undefined
const takes: BrowserOptions['onCommand'] = ({ id }, browser) => browser.send({ type: 'taken', id })

test('[D-123] with two browsers on two nodes, each of 200 commands at once is carried out exactly once', async () => {
  await using nodes = await startTwoNodes()
  await using first = await nodes.one.open()
  await using second = await nodes.two.open()
  await becomesOwner(second)
  const sent = Array.from({ length: 200 }, (_, index) =>
    show(index % 2 === 0 ? nodes.one : nodes.two, index, { canRepeat: index % 3 === 0 }),
  )
  // The focus goes to and fro meanwhile.
  for (let round = 0; round < 5; round += 1) {
    first.attend({ isFocused: round % 2 === 0 })
    second.attend({ isFocused: round % 2 === 1 })
  }
  const outcomes = await Promise.all(sent)
  expect(outcomes.filter(({ outcome }) => outcome !== 'done')).toEqual([])
  expect(revisionsOf(first, second)).toEqual(Array.from({ length: 200 }, (_, index) => index))
})

test('[D-123] the answer of a browser on another node arrives as it was given', async () => {
  const evaluation = {
    status: 'executed',
    result: { a: [1, 'ü'] },
    resultType: 'object',
    durationMs: 3,
  } as const
  await using nodes = await startTwoNodes()
  await using browser = await nodes.two.open({
    onCommand({ id, command }, self) {
      self.send({ type: 'taken', id })
      if (command.kind === 'screenshot')
        // Long after the node has said that it has the command.
        setTimeout(() => self.send({ type: 'failed', id, code: 'cannot_capture', message: 'no' }), 300)
      else self.send({ type: 'done', id, evaluation })
    },
  })
  await becomesOwner(browser)
  expect(await show(nodes.one)).toEqual({ outcome: 'done', result: { evaluation } })
  const picture = nodes.one.control.send(
    BOARD,
    {
      kind: 'screenshot',
      captureId: randomUUID(),
      scope: 'workspace',
      method: 'element-capture',
      tabId: null,
      by: { kind: 'api_key', name: 'agent', handle: 'ada' },
    },
    { deadlineMs: 10_000, canRepeat: true },
  )
  expect(await picture).toEqual({ outcome: 'failed', code: 'cannot_capture', message: 'no' })
})

deepTest('[D-124] a browser that does not take a command is dropped, and the next one gets it', async () => {
  await using nodes = await startTwoNodes()
  await using good = await nodes.one.open()
  await using hung = await nodes.two.open({ onCommand: silent })
  await becomesOwner(hung)
  expect(await show(nodes.one)).toMatchObject({ outcome: 'done' })
  expect(await hung.closed()).toBe('dead_peer')
  expect(good.commands.map(({ id }) => id)).toEqual(hung.commands.map(({ id }) => id))
})

deepTest(
  '[D-124] a command that must not be repeated is lost with a browser that never took it',
  async () => {
    await using node = await startControl()
    await using good = await node.open()
    await using hung = await node.open({ onCommand: silent })
    await becomesOwner(hung)
    expect(await show(node, 1, { canRepeat: false })).toEqual({ outcome: 'lost' })
    expect(good.commands).toEqual([])
  },
)

test('[D-125] what is not done in time is a timeout, and what comes later changes nothing', async () => {
  await using nodes = await startTwoNodes()
  await using browser = await nodes.two.open({ onCommand: takes })
  await becomesOwner(browser)
  const begun = performance.now()
  expect(await show(nodes.one, 1, { deadlineMs: 400 })).toEqual({ outcome: 'timeout' })
  expect(await show(nodes.two, 2, { deadlineMs: 400 })).toEqual({ outcome: 'timeout' })
  expect(performance.now() - begun).toBeGreaterThanOrEqual(800)
  expect(browser.commands[0]?.deadlineMs).toBeLessThanOrEqual(400)
  for (const { id } of browser.commands) browser.send({ type: 'done', id })
  browser.send({ type: 'done', id: 'never asked' })
  browser.send({ type: 'taken', id: 'never asked' })
  const answer = browser.answered(browser.change({ type: 'removeTab', tabId: randomUUID() }))
  expect(await answer).toMatchObject({ code: 'no_such_tab' })
})

test('[D-126] when the browser goes, what can be repeated goes to the next one under the same id', async () => {
  await using nodes = await startTwoNodes()
  await using stays = await nodes.one.open()
  await using goes = await nodes.two.open({ onCommand: takes })
  await becomesOwner(goes)
  const repeatable = show(nodes.one, 1)
  const once = show(nodes.one, 2, { canRepeat: false })
  await waitUntil('it has both', () => goes.commands.length === 2)
  goes.socket.terminate()
  expect(await repeatable).toMatchObject({ outcome: 'done' })
  expect(await once).toEqual({ outcome: 'lost' })
  expect(stays.commands.map(({ id }) => id)).toEqual([
    goes.commands.find(({ command }) => 'revision' in command && command.revision === 1)?.id,
  ])
})

test('[D-127] nobody there is said at once, and a page that reconnects gets its command', async () => {
  const access = createTestAccess()
  access.grant('bob', 'ada', 'read')
  await using nodes = await startTwoNodes({ access })
  const begun = performance.now()
  expect(await show(nodes.one)).toEqual({ outcome: 'no_browser' })
  await using reader = await nodes.two.open({ handle: 'bob' })
  await reader.heard('owner')
  expect(await show(nodes.one)).toEqual({ outcome: 'no_browser' })
  expect(performance.now() - begun).toBeLessThan(atLatest(2_000))

  const browserId = randomUUID()
  await using goes = await nodes.two.open({ browserId, onCommand: takes })
  await becomesOwner(goes)
  const sent = show(nodes.one)
  await waitUntil('it has the command', () => goes.commands.length === 1)
  goes.socket.terminate()
  await using back = await nodes.one.open({ browserId })
  expect(await sent).toMatchObject({ outcome: 'done' })
  expect(back.commands.map(({ id }) => id)).toEqual(goes.commands.map(({ id }) => id))
})

test('[D-128] a browser has 64 commands at once, 256 wait, and more are refused', async () => {
  await using node = await startControl({ timings: { takenWithinMs: 20_000 } })
  let isBusy = true
  await using browser = await node.open({
    onCommand: (command, self) => (isBusy ? takes : carryOut)(command, self),
  })
  await becomesOwner(browser)
  const sent = Array.from({ length: 330 }, (_, index) => show(node, index, { deadlineMs: 20_000 }))
  const refused = await Promise.all(sent.slice(320))
  expect(new Set(refused.map((outcome) => JSON.stringify(outcome))).size).toBe(1)
  expect(refused[0]).toMatchObject({ outcome: 'failed', code: 'not_ready' })
  await waitUntil('it has its 64', () => browser.commands.length === 64)
  isBusy = false
  for (const { id } of browser.commands.slice()) browser.send({ type: 'done', id })
  const outcomes = await Promise.all(sent.slice(0, 320))
  expect(outcomes.every(({ outcome }) => outcome === 'done')).toBe(true)
  expect(browser.commands.map(({ command }) => 'revision' in command && command.revision)).toEqual(
    Array.from({ length: 320 }, (_, index) => index),
  )
})

test('[D-129] an answer that is not as documented ends the command, and only that', async () => {
  await using node = await startControl()
  await using browser = await node.open({
    onCommand: ({ id }, self) => self.send({ type: 'done', id, evaluation: { status: 'great' } }),
  })
  await becomesOwner(browser)
  expect(await show(node)).toEqual({ outcome: 'lost' })
  expect(browser.commands).toHaveLength(1)
  expect(browser.socket.readyState).toBe(browser.socket.OPEN)
})
