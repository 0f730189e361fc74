import { readCommand } from '@patchbay/device-kit'
import { createInProcessHub } from '@patchbay/kernel/bus'
import { systemClock } from '@patchbay/kernel/clock'
import { atLatest, deepTest } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type RabbitmqBeside, startRabbitmqBeside } from './beside.ts'
import { brokerContract } from './broker-contract.ts'
import { type Added, codeOf, type DevicesNode, jsonOf, startDevices, type TestPage } from './start.ts'

let beside: RabbitmqBeside
beforeAll(async () => {
  beside = await startRabbitmqBeside()
}, 120_000)
afterAll(() => beside[Symbol.asyncDispose]())

const PATIENT = { timeout: 25_000 }

/** A device that does what it is told, and says so. */
async function startMotor({ connect, topic }: Added) {
  const client = await connect()
  const commands: unknown[] = []
  const stops: string[] = []
  client.on('message', (each, bytes) => {
    const text = bytes.toString()
    if (each.endsWith('/$stop')) stops.push(text)
    const command = each.endsWith('/set') ? readCommand(text) : undefined
    if (command === undefined) return
    commands.push(command.value)
    client.publish(each.replace(/set$/, 'ack'), JSON.stringify({ id: command.id, status: 'done' }))
  })
  await client.subscribeAsync([`${topic}/+/set`, `${topic}/$stop`], { qos: 1 })
  const components = { speed: { platform: 'number', command_topic: true, min: 0, max: 10 } }
  await client.publishAsync(`${topic}/$info`, JSON.stringify({ components }), { qos: 1 })
  return { client, commands, stops }
}

const told = (page: TestPage) => page.values().map(({ value }) => value)

async function storedOf(node: DevicesNode, device: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`
    select value from device_values join devices on devices.id = device_id where name = ${device}`.execute(
    node.db,
  )
  return rows[0]?.value
}

describe('the contract', () => {
  let node: DevicesNode
  beforeAll(async () => {
    node = await startDevices({ beside })
  })
  afterAll(() => node[Symbol.asyncDispose]())

  brokerContract(() => node)

  test('[G-60] who does not know the secret is told nothing', async ({ expect }) => {
    const ask = (path: string, body = 'vhost=/') =>
      fetch(`${node.url}/broker/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
    expect(await codeOf(ask('wrong/vhost'))).toBe('404 not_found')
    expect(await (await ask(`${beside.secret}/vhost`)).text()).toBe('allow')
    expect(await (await ask(`${beside.secret}/vhost`, 'vhost=other')).text()).toBe('deny')
    for (const question of ['user', 'resource', 'topic']) {
      expect(await (await ask(`${beside.secret}/${question}`, '')).text()).toBe('deny')
      expect(await (await ask(`${beside.secret}/${question}`, 'username=patchbay&password=x')).text()).toBe(
        'deny',
      )
    }
  })

  test('[G-61] a device has client ids that begin with its username, or none', async ({ expect }) => {
    const [one, other] = [await node.add('own-id'), await node.add('other-id')]
    for (const clientId of [one.username, `${one.username}-a`, ''])
      await (await one.connect({ clientId })).endAsync()
    for (const clientId of [
      'sensor',
      other.username,
      `${other.username}-a`,
      `${one.username}-${'a'.repeat(40)}`,
    ])
      await expect(one.connect({ clientId })).rejects.toThrow(/not authorized|bad user/i)
  })

  test('[G-61] a device that connects again and again is refused for a while', async ({ expect }) => {
    const one = await node.add('restless')
    const connects = async () => {
      for (let n = 0; n < 40; n += 1) await (await one.connect()).endAsync(true)
    }
    await expect(connects()).rejects.toThrow(/not authorized|bad user/i)
  })
})

describe('two nodes', () => {
  const hub = createInProcessHub({ clock: systemClock })
  const opened = new AsyncDisposableStack()
  let a: DevicesNode
  let b: DevicesNode
  beforeAll(async () => {
    const first = await startDevices({ beside, bus: opened.use(hub.connect('a')) })
    a = opened.use(first)
    b = opened.use(
      await startDevices({ beside, bus: opened.use(hub.connect('b')), databaseUrl: first.databaseUrl }),
    )
  })
  afterAll(() => opened.disposeAsync())

  deepTest.concurrent(
    '[G-62] a value reaches pages of both nodes, and is stored once',
    async ({ expect }) => {
      const { topic, connect } = await a.add('one')
      const client = await connect()
      const pages = [a.page(), b.page()]
      for (const page of pages) await page.watch('one n')
      await client.publishAsync(`${topic}/n`, '1', { qos: 1 })
      for (const page of pages) await expect.poll(() => told(page), PATIENT).toContain(1)
      await expect.poll(() => storedOf(b, 'one'), PATIENT).toBe(1)
      for (const page of pages) page.leave()
    },
  )

  test.concurrent('[G-62] what a node does not watch any more it takes from what is stored', async ({
    expect,
  }) => {
    const { topic, connect } = await a.add('unwatched')
    const client = await connect()
    const page = b.page()
    await page.watch('unwatched n')
    await client.publishAsync(`${topic}/n`, '1', { qos: 1 })
    await expect.poll(() => told(page), PATIENT).toContain(1)
    page.leave()
    await client.publishAsync(`${topic}/n`, '2', { qos: 1 })
    const read = async () =>
      (await jsonOf<{ values: { value: unknown }[] }>(b.ask('GET', 'ada/board/devices/unwatched'))).values
    await expect.poll(async () => (await read()).map(({ value }) => value), PATIENT).toEqual([2])
  })

  deepTest.concurrent('[G-62] a value from just before a page came is shown', async ({ expect }) => {
    const { topic, connect } = await a.add('quick')
    const client = await connect()
    const page = b.page()
    await client.publishAsync(`${topic}/n`, '5', { qos: 1 })
    await page.watch('quick n')
    await expect.poll(() => told(page), PATIENT).toContain(5)
    page.leave()
  })

  test.concurrent('[G-31] a removed grant ends the values on another node within two seconds', async ({
    expect,
  }) => {
    const { topic, connect } = await a.add('granted')
    const client = await connect()
    await a.ask('PUT', 'ada/board/devices/granted/grants/ada/other')
    const page = b.page('ada/other')
    await page.watch('granted n')
    let n = 0
    const speaking = setInterval(() => client.publish(`${topic}/n`, String(++n)), 20)
    await expect.poll(() => told(page).length, PATIENT).toBeGreaterThan(0)
    await a.ask('DELETE', 'ada/board/devices/granted/grants/ada/other')
    const removedAt = performance.now()
    let before = told(page).length
    let lastAt = removedAt
    await waitUntil(
      'no more come',
      () => {
        const now = performance.now()
        if (told(page).length > before) lastAt = now
        before = told(page).length
        return now - lastAt > 2_000
      },
      { deadlineMs: 25_000, intervalMs: 20 },
    )
    clearInterval(speaking)
    expect(lastAt - removedAt).toBeLessThan(atLatest(2_000))
  })

  test.concurrent('[G-63] each node hears what became of its own commands', async ({ expect }) => {
    const device = await a.add('motor')
    const { commands } = await startMotor(device)
    for (const [node, value] of [
      [a, 1],
      [b, 2],
    ] as const) {
      const ask = () =>
        node.ask('POST', 'ada/board/devices/motor/commands', { channel: 'speed', value, timeoutMs: 20_000 })
      // Until it has described itself.
      await waitUntil('it is done', async () => {
        const answer = await ask()
        return answer.ok && ((await answer.json()) as { status: string }).status === 'done'
      })
    }
    expect(commands).toEqual([1, 2])
  })

  test.concurrent('[G-64] a stop through one node holds on the other, also for a device that connects later', async ({
    expect,
  }) => {
    await a.make('ada/halt')
    const [there, late] = [await a.add('there', 'ada/halt'), await a.add('late', 'ada/halt')]
    const first = await startMotor(there)
    expect(await jsonOf(b.ask('PUT', 'ada/halt/emergency-stop', {}))).toMatchObject({ devices: 2 })
    await expect.poll(() => first.stops.at(-1), PATIENT).toContain('"stop":true')
    const second = await startMotor(late)
    await expect.poll(() => second.stops.at(-1), PATIENT).toContain('"stop":true')
    const command = { channel: 'speed', value: 1 }
    await expect
      .poll(() => codeOf(a.ask('POST', 'ada/halt/devices/late/commands', command)), PATIENT)
      .toBe('409 devices_stopped')
    expect(await codeOf(a.ask('DELETE', 'ada/halt/emergency-stop', undefined, 'ada!'))).toBe('204')
    await expect.poll(() => second.stops.at(-1), PATIENT).toContain('"stop":false')
    expect([first.commands, second.commands]).toEqual([[], []])
  })

  test.concurrent('[G-65] values over HTTP to one node reach the pages of the other', async ({ expect }) => {
    const { key } = await a.add('script')
    const page = b.page()
    await page.watch('script n')
    const headers = { 'x-device-key': key, 'content-type': 'application/json' }
    expect(
      await codeOf(fetch(`${a.url}/api/devices/values`, { method: 'POST', headers, body: '{"n":4}' })),
    ).toBe('204')
    await expect.poll(() => told(page), PATIENT).toContain(4)
    page.leave()
  })

  deepTest('[G-66] nodes whose connection was cut go on by themselves', async ({ expect }) => {
    const { topic, connect } = await a.add('lasting')
    const client = await connect()
    const page = b.page()
    await page.watch('lasting n')
    const { managementUrl, username, password } = beside.rabbitmq
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    await fetch(`${managementUrl}/api/connections/username/${username}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    let n = 0
    await waitUntil('values come again', async () => {
      await client.publishAsync(`${topic}/n`, String(++n), { qos: 1 })
      return told(page).length > 0
    })
    await expect.poll(() => storedOf(b, 'lasting'), PATIENT).toBeGreaterThan(0)
    page.leave()
  })

  deepTest(
    '[G-67] a node that stops takes nobody offline, and another one keeps what devices say',
    async ({ expect }) => {
      const { topic, connect } = await b.add('kept')
      const client = await connect()
      await client.publishAsync(`${topic}/n`, '1', { qos: 1 })
      await expect.poll(() => storedOf(b, 'kept'), PATIENT).toBe(1)
      await a.devices.stop()
      await a.broker.close()
      beside.serve(b.url)
      const { device } = await jsonOf<{ device: { status: string } }>(b.ask('GET', 'ada/board/devices/kept'))
      expect(device.status).toBe('online')
      let n = 1
      await waitUntil('it is stored', async () => {
        await client.publishAsync(`${topic}/n`, String(++n), { qos: 1 })
        return Number(await storedOf(b, 'kept')) > 1
      })
    },
  )

  test('[G-67] a device that no node has heard for two minutes is offline', async ({ expect }) => {
    await b.add('silent')
    await sql`update devices set is_connected = true, seen_at = now() - interval '121 seconds'
      where name = 'silent'`.execute(b.db)
    const status = async () =>
      (await jsonOf<{ device: { status: string } }>(b.ask('GET', 'ada/board/devices/silent'))).device.status
    await expect.poll(status, { timeout: 30_000 }).toBe('offline')
  }, 40_000)

  test('[G-66] a page is told so also by a node that has only just come', async ({ expect }) => {
    await using node = await startDevices({ beside, databaseUrl: b.databaseUrl })
    const page = node.page()
    await page.watch('motor n')
    await node.broker.close()
    await expect
      .poll(() => page.news.findLast(({ type }) => type === 'link'), PATIENT)
      .toEqual({ type: 'link', isUp: false })
    beside.serve(b.url)
  })

  test('[G-66] pages are told within three seconds that the broker is gone, and nothing is sent', async ({
    expect,
  }) => {
    const { key } = await b.add('alone')
    const page = b.page()
    await page.watch('alone n')
    expect(page.news[0]).toEqual({ type: 'link', isUp: true })
    await beside.rabbitmq.kill()
    const killedAt = performance.now()
    await expect.poll(() => page.news.at(-1), PATIENT).toEqual({ type: 'link', isUp: false })
    expect(performance.now() - killedAt).toBeLessThan(atLatest(3_000))
    const headers = { 'x-device-key': key, 'content-type': 'application/json' }
    expect(
      await codeOf(fetch(`${b.url}/api/devices/values`, { method: 'POST', headers, body: '{"n":4}' })),
    ).toBe('503 broker_unavailable')
  })
})
