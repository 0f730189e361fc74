import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { startDevices } from './start.ts'

test('[G-30] a page gets the latest known values, then newer ones', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  await client.publishAsync(`${topic}/speed`, '1', { qos: 1 })
  const page = node.page()
  await waitUntil('the first value is known', async () => {
    await page.watch('one speed')
    return page.values().some(({ value }) => value === 1)
  })
  await client.publishAsync(`${topic}/speed`, '2', { qos: 1 })
  await waitUntil('the newer one comes', async () => page.values().some(({ value }) => value === 2))
  expect(page.news[0]).toEqual({ type: 'link', isUp: true })
  expect(page.news).toContainEqual({ type: 'stop', stop: null })
})

test('[G-30] a stored value comes after a restart', async () => {
  await using first = await startDevices()
  const { connect, topic } = await first.add('one')
  await (await connect()).publishAsync(`${topic}/speed`, '7', { qos: 1 })
  const known = first.page()
  await known.watch('one speed')
  await waitUntil('it is heard', async () => known.values().length > 0)
  await first.devices.stop()
  await using second = await startDevices({ databaseUrl: first.databaseUrl })
  const page = second.page()
  await page.watch('one speed')
  await expect.poll(() => page.values().map(({ value }) => value)).toContain(7)
})

test('[G-30] of many values a page gets the newest, in few messages', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const page = node.page()
  await page.watch('one a 5', 'one b 30')
  const began = performance.now()
  for (let n = 1; n <= 300; n += 1)
    for (const channel of ['a', 'b']) await client.publishAsync(`${topic}/${channel}`, String(n), { qos: 0 })
  await waitUntil('the last ones come', async () => {
    const last = new Map(page.values().map(({ channel, value }) => [channel, value]))
    return last.get('a') === 300 && last.get('b') === 300
  })
  const seconds = (performance.now() - began) / 1000
  const messages = page.news.filter(({ type }) => type === 'values').length
  const slow = page.values().filter(({ channel }) => channel === 'a').length
  expect(messages).toBeLessThanOrEqual(31 * seconds + 2)
  expect(slow).toBeLessThanOrEqual(5 * seconds + 2)
})

test('[G-30] a page that leaves gets nothing more', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const [page, other] = [node.page(), node.page()]
  await page.watch('one a')
  await other.watch('one a')
  page.leave()
  const told = page.news.length
  await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
  await waitUntil('the other page gets it', async () => other.values().length > 0)
  expect(page.news).toHaveLength(told)
})

test('[G-31] a page gets nothing of devices that its workspace does not have', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const [stranger, own] = [node.page('ada/other'), node.page()]
  await stranger.watch('one a')
  await own.watch('one a')
  await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
  await waitUntil('its own page gets it', async () => own.values().length > 0)
  expect(stranger.values()).toEqual([])
})

deepTest('[G-31] a granted device is seen, and no longer when the grant is removed', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const page = node.page('ada/other')
  await page.watch('one a')
  await node.ask('PUT', 'ada/board/devices/one/grants/ada/other')
  let n = 0
  await waitUntil('it is seen', async () => {
    await client.publishAsync(`${topic}/a`, String(++n), { qos: 1 })
    return page.values().length > 0
  })
  await node.ask('DELETE', 'ada/board/devices/one/grants/ada/other')
  const removedAt = performance.now()
  let lastAt = removedAt
  while (performance.now() - removedAt < 3_000) {
    const before = page.values().length
    await client.publishAsync(`${topic}/a`, String(++n), { qos: 1 })
    await sleep(20)
    if (page.values().length > before) lastAt = performance.now()
  }
  expect(lastAt - removedAt).toBeLessThan(2_000)
})

test('[G-32] pages are told when a device comes, describes itself, or goes', async () => {
  await using node = await startDevices()
  const page = node.page()
  await page.watch()
  const told = () => page.news.filter(({ type }) => type === 'changed').length
  const { connect } = await node.add('one')
  await expect.poll(told).toBeGreaterThan(0)
  const before = told()
  const client = await connect()
  await expect.poll(told).toBeGreaterThan(before)
  const then = told()
  await client.endAsync(true)
  await expect.poll(told).toBeGreaterThan(then)
})

test('[G-33] a page that reads slowly gets the newest when it reads again', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  const [slow, fast] = [node.page(), node.page()]
  slow.isBusy = true
  await slow.watch('one a')
  await fast.watch('one a')
  for (let n = 1; n <= 50; n += 1) await client.publishAsync(`${topic}/a`, String(n), { qos: 1 })
  await waitUntil('the other page has it', async () => fast.values().some(({ value }) => value === 50))
  expect(slow.values()).toEqual([])
  slow.isBusy = false
  await waitUntil('it gets the newest', async () => slow.values().length > 0)
  expect(slow.values().map(({ value }) => value)).toEqual([50])
})

deepTest('[G-34] a script hears values as events, for as long as it asked', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
  const answer = await node.ask('GET', 'ada/board/devices/one/values?seconds=2&channel=a&rate=30')
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const reading = answer.text()
  await client.publishAsync(`${topic}/a`, '2', { qos: 1 })
  await client.publishAsync(`${topic}/b`, '3', { qos: 1 })
  const text = await reading
  expect(text).toContain('event: value\ndata: {"channel":"a","value":2')
  expect(text).not.toContain('"b"')
})

test('[G-34] a script that listens is told when the device goes', async () => {
  await using node = await startDevices()
  await node.add('one')
  const answer = await node.ask('GET', 'ada/board/devices/one/values')
  const reading = answer.text()
  await node.ask('DELETE', 'ada/board/devices/one')
  expect(await reading).toContain('event: gone')
})
