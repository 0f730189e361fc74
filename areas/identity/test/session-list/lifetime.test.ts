import { expect, test } from 'vitest'
import { type IdentityNode, startIdentity } from '../start.ts'
import { asApplication, giveApplicationSession } from './credentials.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

async function statusesAround(
  { clock }: IdentityNode,
  millisecondsToEnd: number,
  ask: () => Promise<Response>,
): Promise<number[]> {
  clock.advance(millisecondsToEnd - 1_000)
  const before = (await ask()).status
  clock.advance(2_000)
  return [before, (await ask()).status]
}

test("[C-267] an application's session ends with its lifetime, to the second", async () => {
  await using node = await startIdentity()
  const { personId } = await node.signedIn('ada')
  const session = await giveApplicationSession(node.deps, personId, { lifetimeSeconds: 7_776_000 })
  const ask = () => node.ask('/auth/whoami', asApplication(session))
  expect(await statusesAround(node, 90 * DAY_MS, ask)).toEqual([200, 401])
})

test('[C-267] a browser session ends with its lifetime, to the second, although it is used every day', async () => {
  await using node = await startIdentity()
  const ada = await node.signedIn('ada')
  const ask = () => ada.ask('/auth/sessions')
  for (let day = 0; day < 29; day += 1) {
    node.clock.advance(DAY_MS)
    expect((await ask()).status).toBe(200)
  }
  expect(await statusesAround(node, DAY_MS, ask)).toEqual([200, 401])
})

test('[C-268] a browser session that rests for its idle time is over, to the second', async () => {
  await using node = await startIdentity()
  const rested = await node.signedIn('ada')
  node.clock.advance(7 * DAY_MS - 1_000)
  expect((await rested.ask('/auth/sessions')).status).toBe(200)
  const over = await node.signedIn('bob')
  node.clock.advance(7 * DAY_MS + 1_000)
  expect((await over.ask('/auth/sessions')).status).toBe(401)
})

test('[C-268] every use begins the rest anew', async () => {
  await using node = await startIdentity({ settings: { browserIdleSeconds: 3_600 } })
  const ada = await node.signedIn('ada')
  const ask = () => ada.ask('/auth/sessions')
  for (let use = 0; use < 5; use += 1) {
    node.clock.advance(HOUR_MS - 1_000)
    expect((await ask()).status).toBe(200)
  }
  // A use within a minute of one that was noted is not worth a write: the rest counts from the noted one.
  node.clock.advance(30_000)
  expect((await ask()).status).toBe(200)
  node.clock.advance(HOUR_MS - 30_000 + 1_000)
  expect((await ask()).status).toBe(401)
})

test("[C-268] an application's session may rest for as long as it lives", async () => {
  await using node = await startIdentity({ settings: { browserIdleSeconds: 60 } })
  const { personId } = await node.signedIn('ada')
  const session = await giveApplicationSession(node.deps, personId)
  const ask = () => node.ask('/auth/whoami', asApplication(session))
  node.clock.advance(30 * DAY_MS)
  expect((await ask()).status).toBe(200)
  node.clock.advance(30 * DAY_MS)
  expect((await ask()).status).toBe(200)
})
