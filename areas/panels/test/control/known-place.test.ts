import { randomUUID } from 'node:crypto'
import type { Bus } from '@patchbay/kernel/bus'
import { startRedis } from '@patchbay/testkit/redis'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../../src/workspaces/workspace.store.ts'
import { becomesOwner } from './browser.ts'
import { BOARD, FIRST_LEAF, openBus, prepareGround, startControlNode } from './start-control.ts'

/** With how often somebody has asked who is there. */
function countLooks(bus: Bus): { readonly bus: Bus; looks: number } {
  const counting = {
    looks: 0,
    bus: {
      ...bus,
      presence: {
        ...bus.presence,
        members(room: string) {
          counting.looks += 1
          return bus.presence.members(room)
        },
      },
    },
  }
  return counting
}

test('[D-284] where a command went before, the next goes without looking; and where that is over, to who acts now', async () => {
  await using ground = await prepareGround()
  await using redis = await startRedis()
  const counting = countLooks(await openBus(redis.url, 'node-1'))
  await using one = await startControlNode({ ...ground, node: 'node-1', bus: counting.bus })
  await using two = await startControlNode({
    ...ground,
    node: 'node-2',
    bus: await openBus(redis.url, 'node-2'),
  })
  await makeWorkspace(one.db, BOARD, FIRST_LEAF, new Date())
  await using first = await two.open()
  await becomesOwner(first)
  const show = async () => {
    one.control.expectCommand(BOARD)
    const command = { kind: 'show', tabId: randomUUID(), revision: 1, state: {} } as const
    const { outcome } = await one.control.send(BOARD, command, { deadlineMs: 10_000, canRepeat: false })
    expect(outcome).toBe('done')
  }
  one.control.expectCommand(BOARD)
  await waitUntil('it has looked', async () => counting.looks > 0)
  await show()
  const looksBefore = counting.looks
  for (let time = 0; time < 10; time += 1) await show()
  expect(counting.looks).toBe(looksBefore)
  expect(first.commands).toHaveLength(11)
  await using second = await two.open()
  await becomesOwner(second)
  for (let time = 0; time < 3; time += 1) await show()
  expect([first.commands.length, second.commands.length]).toEqual([11, 3])
  expect(counting.looks).toBe(looksBefore + 1)
}, 60_000)

test('[D-284] expecting a command never fails, also when the bus is away', async () => {
  await using ground = await prepareGround()
  await using redis = await startRedis()
  const counting = countLooks(await openBus(redis.url, 'node-1'))
  await using one = await startControlNode({ ...ground, node: 'node-1', bus: counting.bus })
  await redis.kill()
  one.control.expectCommand(BOARD)
  expect(counting.looks).toBe(1)
  await expect(one.control.browsers(BOARD)).rejects.toMatchObject({ code: 'bus_unavailable' })
}, 60_000)
