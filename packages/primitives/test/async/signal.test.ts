import { expect, test } from 'vitest'
import { Signal } from '../../src/async/index.ts'

const LONG_MS = 60_000

test('[PR-77][A-408] everybody who waits is woken, and who waits again by the one after', async () => {
  const signal = new Signal()
  const first = [signal.wait(LONG_MS), signal.wait(LONG_MS)]
  signal.notify()
  const second = signal.wait(LONG_MS)
  expect(await Promise.all(first)).toEqual([true, true])
  signal.notify()
  expect(await second).toBe(true)
})

test('[PR-77] notifications that nobody waits for are remembered as one', async () => {
  const signal = new Signal()
  signal.notify()
  signal.notify()
  expect(await signal.wait(LONG_MS)).toBe(true)
  expect(await signal.wait(1)).toBe(false)
})

test('[PR-77] nobody waits longer than they asked for, than their own signal, or after it was closed', async () => {
  const signal = new Signal()
  expect(await signal.wait(1)).toBe(false)
  const stop = new AbortController()
  const stopped = signal.wait(LONG_MS, stop.signal)
  stop.abort()
  expect(await stopped).toBe(false)
  expect(await signal.wait(LONG_MS, stop.signal)).toBe(false)
  const closed = signal.wait(LONG_MS)
  signal.close()
  expect(await closed).toBe(false)
  signal.notify()
  expect(await signal.wait(LONG_MS)).toBe(false)
})

test('[PR-77] a wait that is over leaves nothing with its abort signal', async () => {
  const { signal: longLived } = new AbortController()
  let listeners = 0
  const add = longLived.addEventListener.bind(longLived)
  const remove = longLived.removeEventListener.bind(longLived)
  longLived.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1
    add(...args)
  }
  longLived.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...args)
  }
  const signal = new Signal()
  const woken = signal.wait(LONG_MS, longLived)
  signal.notify()
  expect(await woken).toBe(true)
  expect(await signal.wait(1, longLived)).toBe(false)
  expect(listeners).toBe(0)
})
