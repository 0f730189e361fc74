import { randomUUID } from 'node:crypto'
import { startPostgres } from '@patchbay/testkit/postgres'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { emptyWorkspace } from '../../src/workspaces/template.ts'
import { makeWorkspace } from '../../src/workspaces/workspace.store.ts'
import { migratedDatabase, temporaryFolder } from '../start.ts'
import { becomesOwner } from './browser.ts'
import { addTab } from './changes.ts'
import { BOARD, FIRST_LEAF, startControl, startControlNode, startTwoNodes } from './start-control.ts'

const SHOW = { kind: 'show', tabId: randomUUID(), revision: 1, state: {} } as const

test('[D-133] without the bus, changes go on, telling fails silently, and all is well when it is back', async () => {
  await using nodes = await startTwoNodes({ timings: { sweepMs: 300 } })
  await using mine = await nodes.one.open()
  await using far = await nodes.two.open()
  await becomesOwner(far)
  await nodes.redis.kill()
  await waitUntil(
    'the bus is away',
    () =>
      nodes.one.bus.ping().then(
        () => false,
        () => true,
      ),
    { deadlineMs: 20_000 },
  )
  nodes.one.control.notify(BOARD)
  nodes.one.control.runQueued(BOARD, randomUUID())
  const id = mine.change(addTab('Without a bus'))
  expect(await mine.answered(id)).toMatchObject({ type: 'changed' })
  await far.heard('changed', ({ version }) => version === 1)
  await using late = await nodes.one.open()
  expect(late.all('opened')).toHaveLength(1)
  await nodes.redis.restart()
  await late.heard('owner', ({ browsers }) => browsers === 3)
  await waitUntil(
    'commands arrive again',
    () =>
      nodes.one.control.send(BOARD, SHOW, { deadlineMs: 2_000, canRepeat: true }).then(
        ({ outcome }) => outcome === 'done',
        () => false,
      ),
    { deadlineMs: 20_000 },
  )
}, 90_000)

test('[D-117] a change that the database could not take ends the connection, so that it is sent again', async () => {
  await using postgres = await startPostgres()
  await using database = await migratedDatabase(postgres.url())
  await using folder = await temporaryFolder()
  await using node = await startControlNode({ databaseUrl: database.url, folder: folder.path })
  await makeWorkspace(node.db, BOARD, emptyWorkspace(FIRST_LEAF), new Date())
  await using browser = await node.open()
  await postgres.stop()
  browser.change(addTab('Too late'))
  expect(await browser.closed()).toBe('internal_error')
  expect(browser.all('refused')).toEqual([])
  await postgres.restart()
  await waitUntil('the workspace opens again', async () => {
    await using again = await node.open()
    return again.all('opened').length === 1
  })
}, 90_000)

test('[D-134] a node that stops leaves its rooms and ends what waits', async () => {
  await using nodes = await startTwoNodes()
  await using browser = await nodes.one.open({
    onCommand: ({ id }, self) => self.send({ type: 'taken', id }),
  })
  await becomesOwner(browser)
  const here = nodes.one.control.send(BOARD, SHOW, { deadlineMs: 60_000, canRepeat: false })
  const there = nodes.two.control.send(BOARD, SHOW, { deadlineMs: 60_000, canRepeat: false })
  await waitUntil('it has both', () => browser.commands.length === 2)
  await nodes.one.stop()
  expect(await Promise.all([here, there])).toEqual([{ outcome: 'lost' }, { outcome: 'lost' }])
  await waitUntil('nobody is listed', async () => (await nodes.two.control.browsers(BOARD)).length === 0)
})

test('[D-134] a node that is drained hands its browsers over before it closes them', async () => {
  await using nodes = await startTwoNodes()
  await using first = await nodes.one.open()
  await using second = await nodes.two.open()
  await becomesOwner(second)
  await nodes.two.webSockets.drain({ windowMs: 50, graceMs: 1_000 })
  expect(await second.closed()).toBe('going_away')
  await becomesOwner(first)
  expect(await nodes.one.control.browsers(BOARD)).toHaveLength(1)
})

test('[D-135] metrics show what is held, and what became of commands', async () => {
  await using node = await startControl()
  await node.control.send(BOARD, SHOW, { deadlineMs: 1_000, canRepeat: true })
  await using browser = await node.open()
  await becomesOwner(browser)
  await node.control.send(BOARD, SHOW, { deadlineMs: 10_000, canRepeat: true })
  const text = await node.metrics.metrics()
  const value = (line: string) => new RegExp(`^${line}(?:,process="server")?} (\\d+)$`, 'm').exec(text)?.[1]
  expect(value('patchbay_panels_held{what="connections"')).toBe('1')
  expect(value('patchbay_panels_held{what="workspaces"')).toBe('1')
  expect(value('patchbay_panels_held{what="commands"')).toBe('0')
  expect(value('patchbay_panels_commands_total{command="show done"')).toBe('1')
  expect(value('patchbay_panels_commands_total{command="show no_browser"')).toBe('1')
  browser.socket.close()
  await waitUntil('nothing is held', async () =>
    /held\{what="workspaces"[^}]*\} 0$/m.test(await node.metrics.metrics()),
  )
})
