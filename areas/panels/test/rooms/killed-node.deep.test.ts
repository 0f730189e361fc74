import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { deepTest } from '@patchbay/testkit/depth'
import { startProcess, waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import type { CommandOutcome, Control } from '../../src/control.ts'
import { becomesOwner, openBrowser } from './browser.ts'
import { BOARD, startTwoNodes, type TwoNodes } from './start-control.ts'

const PROGRAM = fileURLToPath(new URL('node-process.ts', import.meta.url))

async function startVictim({ ground, redis }: TwoNodes) {
  const victim = startProcess(process.execPath, [
    PROGRAM,
    ground.databaseUrl,
    ground.folder,
    redis.url,
    `victim-${randomUUID()}`,
  ])
  const url = () => /listening on (\S+)/.exec(victim.output())?.[1]
  await waitUntil('the node listens', () => url() !== undefined, { deadlineMs: 60_000 })
  return { victim, url: url() ?? '' }
}

function show(control: Control, canRepeat = true): Promise<CommandOutcome> {
  const command = { kind: 'show', tabId: randomUUID(), revision: 1, state: {} } as const
  return control.send(BOARD, command, { deadlineMs: 8_000, canRepeat })
}

test('[D-120][D-126][D-413] when the node of the acting browser is killed, another acts, and what can be repeated is', async () => {
  await using nodes = await startTwoNodes()
  await using other = await nodes.two.open()
  const { victim, url } = await startVictim(nodes)
  await using _victim = victim
  await using doomed = await openBrowser(url, {
    onCommand: ({ id }, browser) => browser.send({ type: 'taken', id }),
  })
  await becomesOwner(doomed)
  const [repeated, once] = [show(nodes.one.control), show(nodes.one.control, false)]
  await waitUntil('it has both commands', () => doomed.commands.length === 2)
  victim.child.kill('SIGKILL')
  expect(await once).toEqual({ outcome: 'lost' })
  expect(await repeated).toMatchObject({ outcome: 'done' })
  await becomesOwner(other)
  expect(other.commands).toHaveLength(1)
  await waitUntil('its page is not listed anymore', () => other.people().length === 1)
}, 120_000)

deepTest(
  '[D-120] when the node of the acting browser is killed, its commands and ownership move within 2 s',
  async () => {
    await using nodes = await startTwoNodes()
    await using first = await nodes.one.open()
    await using second = await nodes.two.open()
    const { victim, url } = await startVictim(nodes)
    await using _victim = victim
    await using doomed = await openBrowser(url)
    await becomesOwner(doomed)
    expect(await show(nodes.one.control)).toMatchObject({ outcome: 'done' })
    expect(doomed.commands).toHaveLength(1)

    const killedAt = performance.now()
    victim.child.kill('SIGKILL')
    const shown = show(nodes.one.control).then((outcome) => ({ outcome, ms: performance.now() - killedAt }))
    await becomesOwner(second)
    const ownedMs = performance.now() - killedAt
    const { outcome, ms } = await shown
    expect(outcome).toMatchObject({ outcome: 'done' })
    expect({ commandMs: ms < 2_000, ownedMs: ownedMs < 2_000, ms, was: ownedMs }).toMatchObject({
      commandMs: true,
      ownedMs: true,
    })
    expect(second.commands).toHaveLength(1)
    expect(first.commands).toHaveLength(0)
    expect((await nodes.two.control.browsers(BOARD)).length).toBeLessThanOrEqual(3)
  },
  120_000,
)

deepTest(
  '[D-126] a command that must not be repeated is lost with the node that was sent it',
  async () => {
    await using nodes = await startTwoNodes()
    await using other = await nodes.two.open()
    const { victim, url } = await startVictim(nodes)
    await using _victim = victim
    await using doomed = await openBrowser(url, {
      onCommand: ({ id }, browser) => browser.send({ type: 'taken', id }),
    })
    await becomesOwner(doomed)
    const outcome = show(nodes.one.control, false)
    await waitUntil('it has the command', () => doomed.commands.length > 0)
    victim.child.kill('SIGKILL')
    expect(await outcome).toEqual({ outcome: 'lost' })
    expect(other.commands).toEqual([])
  },
  120_000,
)

deepTest(
  '[D-120] a node that hangs counts as gone until it answers again',
  async () => {
    await using nodes = await startTwoNodes()
    await using other = await nodes.two.open()
    const { victim, url } = await startVictim(nodes)
    await using _victim = victim
    await using hanging = await openBrowser(url)
    await becomesOwner(hanging)
    await waitUntil('the other one knows', () => !other.isOwner())
    victim.child.kill('SIGSTOP')
    try {
      await becomesOwner(other)
      expect(await show(nodes.one.control)).toMatchObject({ outcome: 'done' })
      expect(other.commands.length).toBeGreaterThan(0)
      await waitUntil(
        'its lease has ended',
        async () => (await nodes.one.control.browsers(BOARD)).length === 1,
      )
      // Somebody who comes makes the others look: from then on nobody asks that node any more whether it is there.
      await using late = await nodes.two.open({ isVisible: false })
      await late.heard('owner')
    } finally {
      victim.child.kill('SIGCONT')
    }
    // Far below the 30 s after which everybody looks again by themselves.
    await waitUntil('it is trusted again', () => !other.isOwner(), { deadlineMs: 15_000 })
  },
  120_000,
)
