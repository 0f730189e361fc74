import { randomUUID } from 'node:crypto'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { CommandOutcome, QueueRunner } from '../../src/control.ts'
import { noteActionAlone } from '../../src/workspaces/panel-state.store.ts'
import { becomesOwner } from './browser.ts'
import { BOARD, startControl, startTwoNodes } from './start-control.ts'

interface Run {
  readonly at: WorkspaceRef
  readonly tabId: string
  readonly outcome: CommandOutcome
}

/** Stands for the queue: one piece of code for each time that it is asked to run. */
function recordingRunner() {
  const runs: Run[] = []
  const runner: QueueRunner = {
    async run(at, tabId, execute) {
      runs.push({ at, tabId, outcome: await execute({ id: randomUUID(), code: '1 + 1', timeoutMs: 1_000 }) })
    },
  }
  return { runs, runner }
}

const evaluation = { status: 'executed', result: 2, durationMs: 1 } as const

test('[D-131] code runs when its frame gets ready, and when a node says that there is some', async () => {
  const { runs, runner } = recordingRunner()
  await using nodes = await startTwoNodes({ runner })
  const tabId = randomUUID()
  await using browser = await nodes.two.open({
    onCommand({ id }, self) {
      self.send({ type: 'taken', id })
      self.send({ type: 'done', id, evaluation })
    },
  })
  await becomesOwner(browser)
  browser.ready(tabId)
  await waitUntil('the queue was run', () => runs.length === 1)
  expect(runs[0]).toEqual({ at: BOARD, tabId, outcome: { outcome: 'done', result: { evaluation } } })
  expect(browser.commands[0]).toMatchObject({
    deadlineMs: 4_000,
    command: { kind: 'eval', tabId, code: '1 + 1', timeoutMs: 1_000 },
  })
  nodes.one.control.runQueued(BOARD, tabId)
  await waitUntil('it was run for the other node', () => runs.length === 2)
  nodes.two.control.runQueued(BOARD, tabId)
  await waitUntil('it was run for its own node', () => runs.length === 3)
  browser.ready(tabId, false)
  await browser.answered(browser.change({ type: 'removeTab', tabId }))
  nodes.two.control.runQueued(BOARD, tabId)
  nodes.two.control.runQueued(BOARD, randomUUID())
  const other = randomUUID()
  browser.ready(other)
  await waitUntil('it was run for the other frame', () => runs.some((each) => each.tabId === other))
  // Nothing was run for a frame that is gone, nor for one that never was.
  expect(runs.map((each) => each.tabId)).toEqual([tabId, tabId, tabId, other])
})

test('[D-273] code that was queued without a word is run all the same', async () => {
  const { runs, runner } = recordingRunner()
  await using node = await startControl({ runner, timings: { sweepMs: 200 } })
  const tabId = randomUUID()
  await using browser = await node.open()
  await becomesOwner(browser)
  browser.ready(tabId)
  await waitUntil('the frame is ready', () => runs.length === 1)
  // As whoever queues code does, when the bus is away.
  const caller = {
    personId: tabId,
    handle: 'ada',
    credential: { kind: 'api_key', id: tabId, label: 'agent' },
  } as const
  await noteActionAlone(node.db, BOARD, { caller, tabId, action: 'sandbox eval' }, new Date())
  await waitUntil('the queue was run', () => runs.length >= 2, { deadlineMs: 20_000 })
  expect(runs[1]?.tabId).toBe(tabId)
})

test('[D-131] when ownership moves, the frames of the new one run what waits', async () => {
  const { runs, runner } = recordingRunner()
  await using nodes = await startTwoNodes({ runner })
  const tabId = randomUUID()
  await using waiting = await nodes.one.open()
  await becomesOwner(waiting)
  await using acting = await nodes.two.open()
  await becomesOwner(acting)
  await waitUntil('the first one knows', () => !waiting.isOwner())
  waiting.ready(tabId)
  await waitUntil('its frame is known', async () =>
    (await nodes.two.control.browsers(BOARD)).some(({ readyTabs }) => readyTabs.includes(tabId)),
  )
  expect(runs).toEqual([])
  acting.socket.close()
  await waitUntil('the queue was run', () => runs.length === 1)
  expect(waiting.commands).toHaveLength(1)
})

test('[D-132] code goes to exactly one browser: gone before is no browser, gone after is lost', async () => {
  const { runs, runner } = recordingRunner()
  await using node = await startControl({ runner })
  const tabId = randomUUID()
  await using other = await node.open()
  other.ready(tabId)
  await using goes = await node.open({ onCommand: (_, self) => self.socket.terminate() })
  await becomesOwner(goes)
  const before = other.commands.length
  goes.ready(tabId)
  await waitUntil('the code was sent', () => goes.commands.length === 1)
  await waitUntil('it is known that it is lost', () => runs.some(({ outcome }) => outcome.outcome === 'lost'))
  // What ran in the other one was new code of the next run, never the code that was lost.
  const lost = goes.commands[0]?.id
  expect(other.commands.slice(before).map(({ id }) => id)).not.toContain(lost)
})

test('[D-132] code for a browser that has gone meanwhile is sent to nobody', async () => {
  const outcomes: CommandOutcome[] = []
  const gate = Promise.withResolvers<void>()
  let isAsked = false
  await using node = await startControl({
    runner: {
      async run(_at, _tabId, execute) {
        isAsked = true
        await gate.promise
        outcomes.push(await execute({ id: randomUUID(), code: '1', timeoutMs: 1_000 }))
      },
    },
  })
  await using goes = await node.open()
  await becomesOwner(goes)
  goes.ready(randomUUID())
  await waitUntil('the queue is run', () => isAsked)
  goes.socket.terminate()
  await waitUntil('it is gone', async () => (await node.control.browsers(BOARD)).length === 0)
  gate.resolve()
  await waitUntil('the runner is told', () => outcomes.length === 1)
  expect(outcomes).toEqual([{ outcome: 'no_browser' }])
})
