import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { DeliveryRouter, openGatewayDirectory } from '@patchbay/gateway'
import { type Bus, createInProcessHub } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startTestGateway } from './start.ts'

/** As the gateway has it, with deadlines that a test can wait for. */
function impatientDeliveryRouter(
  bus: Bus,
  deadlines = { deliverWithinMs: 200, resumeWithinMs: 400, answerWithinMs: 450 },
): DeliveryRouter {
  return new DeliveryRouter({ bus, directory: openGatewayDirectory(bus), ...deadlines })
}

const answerTo = (state: string) => ({ state, frame: '{}', outcome: 'done' }) as const

deepTest(
  '[B-13] a client that does not come back in time is gone, and may still come back after that',
  async () => {
    const hub = createInProcessHub({ clock: systemClock })
    await using gateway = await startTestGateway({ bus: hub.connect('gateway') })
    const state = randomUUID()
    const resumeVerifier = randomBytes(32).toString('base64url')
    const resumeChallenge = createHash('sha256').update(resumeVerifier).digest('base64url')
    const before = await gateway.connect()
    await before.register(state, { resumeChallenge })
    await before.close()
    const begun = performance.now()
    expect(await impatientDeliveryRouter(hub.connect('other')).deliver(answerTo(state))).toBe('client-gone')
    expect(performance.now() - begun).toBeGreaterThan(390)
    await using after = await gateway.connect()
    expect(await after.register(state, { resumeVerifier })).toMatchObject({ type: 'registered' })
  },
)

test('[B-22] a node that does not take a code in time is told as silent', async () => {
  const hub = createInProcessHub({ clock: systemClock })
  const hung = openGatewayDirectory(hub.connect('hung'))
  hung.onDelivery(() => new Promise(() => {}))
  const state = randomUUID()
  await hung.claim(state, randomUUID())
  expect(await impatientDeliveryRouter(hub.connect('other')).deliver(answerTo(state))).toBe('client-silent')
})

deepTest(
  '[B-22] waiting for the client, then for its node, together stay below what a proxy waits',
  async () => {
    const hub = createInProcessHub({ clock: systemClock })
    const hung = openGatewayDirectory(hub.connect('hung'))
    hung.onDelivery(() => new Promise(() => {}))
    const state = randomUUID()
    const seal = 'seal-of-a-client'
    await hung.claim(state, 'before', seal)
    await hung.suspend(state, 'before')
    // Alone, the node would be given longer than this test has.
    const deadlines = { deliverWithinMs: 120_000, resumeWithinMs: 20_000, answerWithinMs: 2_000 }
    const told = impatientDeliveryRouter(hub.connect('other'), deadlines).deliver(answerTo(state))
    await hung.resume(state, 'after', seal)
    expect(await told).toBe('client-silent')
  },
)
