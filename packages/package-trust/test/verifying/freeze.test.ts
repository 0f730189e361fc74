import { expect, test, vi } from 'vitest'
import { rotateRoot } from '../../src/signing/index.ts'
import { createTrial, reasonOf } from '../trial.ts'

const PATH = 'feeds/tool/repository.json'
const SECOND = 1000

test('[A-271] metadata is good one second before its expiry and refused in the second of it', async () => {
  await using trial = await createTrial()
  const expiry = Math.floor(trial.registry.expires.getTime() / SECOND) * SECOND
  const at = (time: number) => trial.client({ now: () => new Date(time) }).refresh()
  expect(await reasonOf(at(expiry - SECOND))).toBe('trusted')
  expect(await reasonOf(at(expiry))).toBe('freeze')
  expect(await reasonOf(at(expiry + SECOND))).toBe('freeze')
})

test('[A-271] by the clock of the machine a timestamp is refused from its expiry on', async () => {
  await using trial = await createTrial()
  const expires = new Date(Date.now() + 3600 * SECOND)
  trial.registry.expires = expires
  await trial.registry.publish(PATH, 'one')
  const client = trial.client()
  expect(await reasonOf(client.refresh())).toBe('trusted')
  vi.useFakeTimers({ toFake: ['Date'], now: expires })
  try {
    expect(await reasonOf(client.refresh())).toBe('freeze')
    expect(await reasonOf(trial.client().refresh())).toBe('freeze')
  } finally {
    vi.useRealTimers()
  }
})

test('[A-271] an expired timestamp is no use as a newer one either, and a fresh one ends the freeze', async () => {
  await using trial = await createTrial()
  await trial.client().refresh()
  const { now, expires } = trial.registry
  trial.registry.expires = new Date(now.getTime() + 60 * SECOND)
  await trial.registry.publish(PATH, 'one')
  const client = trial.client({ now: () => new Date(now.getTime() + 120 * SECOND) })
  expect(await reasonOf(client.refresh())).toBe('freeze')
  trial.registry.expires = expires
  await trial.registry.publish(PATH, 'two')
  expect(await reasonOf(client.refresh())).toBe('trusted')
})

test('[A-271] an expired root is followed to a newer one, and refused when there is none', async () => {
  const soon = new Date(Date.now() + 60 * SECOND)
  await using trial = await createTrial({ expires: soon })
  const { registry } = trial
  const later = new Date(soon.getTime() + 3600 * SECOND)
  registry.expires = later
  await registry.release([registry.delegate()])
  const client = trial.client({ now: () => new Date(soon.getTime() + SECOND) })
  expect(await reasonOf(client.refresh())).toBe('freeze')
  const { now, rootKey, root } = registry
  await registry.plant('root', rotateRoot({ previous: root, now, expires: later, keys: [rootKey] }))
  expect(await reasonOf(client.refresh())).toBe('trusted')
})

test('[A-271] an expired bin is refused', async () => {
  await using trial = await createTrial()
  const { now, expires } = trial.registry
  trial.registry.expires = new Date(now.getTime() + 60 * SECOND)
  await trial.registry.publish(PATH, 'one')
  trial.registry.expires = expires
  await trial.registry.release([])
  const client = trial.client({ now: () => new Date(now.getTime() + 61 * SECOND) })
  await client.refresh()
  expect(await reasonOf(client.find(PATH))).toBe('freeze')
})
