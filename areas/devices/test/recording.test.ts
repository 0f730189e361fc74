import { McapIndexedReader } from '@mcap/core'
import type { DeviceHistory, RecordedValue, Recorder, RecordingFile } from '@patchbay/contracts/devices'
import { systemClock } from '@patchbay/kernel/clock'
import { createLog } from '@patchbay/kernel/log'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { writeDueFiles } from '../src/recording.store.ts'
import { decompressHandlers, milliseconds, valueIn } from '../src/recording-file.ts'
import { codeOf, type DevicesNode, jsonOf, startDevices } from './start.ts'

const TIMES = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'

async function record(node: DevicesNode): Promise<void> {
  expect(await codeOf(node.ask('PUT', 'ada/board/device-recorder'))).toBe('200')
  // The node hears of it with its next batch.
  const { connect, topic } = await node.add('probe')
  const client = await connect()
  await waitUntil('it is recorded', async () => {
    await client.publishAsync(`${topic}/beat`, '1', { qos: 1 })
    return (await readValues(node, 'probe')).length > 0
  })
  await client.endAsync()
}

async function readValues(node: DevicesNode, device: string, more = ''): Promise<RecordedValue[]> {
  const { items } = await jsonOf<{ items: RecordedValue[] }>(
    node.ask('GET', `ada/board/devices/${device}/recorded-values?${TIMES}&limit=5000${more}`),
  )
  return items
}

/** As if their time had come: all that was recorded becomes files. */
async function writeFiles(node: DevicesNode): Promise<void> {
  await sql`update device_recorder_runs set ended_at = now()`.execute(node.db)
  const log = createLog({ level: 'silent', process: 'server' })
  const deps = {
    db: node.db,
    recordings: node.recordings,
    clock: systemClock,
    log,
    createSecret: () => Math.random().toString(36),
  }
  await writeDueFiles(deps, { run: undefined, reachedSince: undefined })
}

async function readMcap(bytes: Uint8Array) {
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: async () => BigInt(bytes.byteLength),
      read: async (offset, size) => bytes.subarray(Number(offset), Number(offset + size)),
    },
    decompressHandlers,
  })
  const topics = new Map(Array.from(reader.channelsById.values(), ({ id, topic }) => [id, topic]))
  const messages = []
  for await (const { channelId, logTime, data } of reader.readMessages())
    messages.push({ topic: topics.get(channelId), value: valueIn(data), at: milliseconds(logTime) })
  return messages
}

const SENT = [
  ['speed', '12.5', 12.5],
  ['mode', 'fast', 'fast'],
  ['pose', '{"x":0.5,"y":-1,"name":"a"}', { x: 0.5, y: -1, name: 'a' }],
  ['grid', '[1,2,3]', [1, 2, 3]],
  ['on', 'true', true],
  ['speed', '-3', -3],
] as const

async function sendAll(node: DevicesNode, rounds: number) {
  const { connect, topic } = await node.add('one')
  const client = await connect()
  // Its row is known, and with it whether it is recorded, before what counts is sent.
  await waitUntil('it is recorded', async () => {
    await client.publishAsync(`${topic}/beat`, '0', { qos: 1 })
    return (await readValues(node, 'one')).length > 0
  })
  const expected: { topic: string; value: unknown }[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const [channel, text, value] of SENT) {
      await client.publishAsync(`${topic}/${channel}`, text, { qos: 1 })
      expected.push({ topic: `one/${channel}`, value })
    }
  await waitUntil(
    'all are stored',
    async () =>
      (await readValues(node, 'one')).filter(({ channel }) => channel !== 'beat').length === expected.length,
  )
  return expected
}

test.concurrent('[G-86] what was recorded is read as it was sent, and so is the MCAP file that is exported', async () => {
  await using node = await startDevices()
  await record(node)
  const expected = await sendAll(node, 20)
  const exported = async () => {
    const answer = await node.ask('GET', `ada/board/device-export?${TIMES}&devices=one`)
    const messages = await readMcap(new Uint8Array(await answer.arrayBuffer()))
    return messages.filter(({ topic }) => topic !== 'one/beat')
  }
  const before = await exported()
  expect(before.map(({ topic, value }) => ({ topic, value }))).toEqual(expected)
  const read = await readValues(node, 'one')
  await writeFiles(node)
  const { items: files } = await jsonOf<{ items: RecordingFile[] }>(
    node.ask('GET', 'ada/board/device-recordings?device=one'),
  )
  expect(files).toMatchObject([{ device: 'one', values: read.length, gaps: [] }])
  expect(await readValues(node, 'one')).toEqual(read)
  expect(await exported()).toEqual(before)
})

test.concurrent('[G-87] CSV has a line for each value, and text in it is no formula', async () => {
  await using node = await startDevices()
  await record(node)
  const { key } = await node.add('one')
  const send = async (body: string) =>
    await fetch(`${node.url}/api/devices/values`, {
      method: 'POST',
      headers: { 'x-device-key': key, 'content-type': 'application/json' },
      body,
    })
  await waitUntil('it is recorded', async () => {
    await send('{"a":1}')
    return (await readValues(node, 'one')).length > 0
  })
  await send('{"b":"=1+1"}')
  await waitUntil('it is stored', async () =>
    (await readValues(node, 'one')).some(({ channel }) => channel === 'b'),
  )
  const answer = await node.ask('GET', `ada/board/device-export?${TIMES}&devices=one&format=csv`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n')
  expect(head).toBe('at,device,channel,value')
  expect(lines.at(-1)).toMatch(/^\d{4}-[^,]+Z,one,b,"""=1\+1"""$/)
})

deepTest.concurrent(
  '[G-80] numbers are kept by the second without anybody recording, also members of objects',
  async () => {
    await using node = await startDevices()
    const { connect, topic } = await node.add('one')
    const client = await connect()
    for (const value of [1, 5, 3]) await client.publishAsync(`${topic}/speed`, String(value), { qos: 1 })
    await client.publishAsync(`${topic}/pose`, '{"x":1,"y":2,"name":"a"}', { qos: 1 })
    await client.publishAsync(`${topic}/grid`, '[1,2]', { qos: 1 })
    const read = () =>
      jsonOf<DeviceHistory>(
        node.ask(
          'GET',
          `ada/board/devices/one/history?from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 1_000).toISOString()}`,
        ),
      )
    await waitUntil(
      'they are kept',
      async () => (await read()).series.filter(({ points }) => points.length > 0).length === 3,
    )
    const { stepMs, series } = await read()
    expect(stepMs).toBe(1_000)
    expect(series.map(({ channel, member }) => [channel, member])).toEqual([
      ['pose', 'x'],
      ['pose', 'y'],
      ['speed', null],
    ])
    const points = series[2]?.points ?? []
    expect(Math.min(...points.map(([, min]) => min))).toBe(1)
    expect(Math.max(...points.map(([, , max]) => max))).toBe(5)
    expect(points.at(-1)?.[4]).toBe(3)
    expect(points.reduce((sum, [, , , , , count]) => sum + count, 0)).toBe(3)
  },
)

test.concurrent('[G-83] numbers that no sum could hold are left out, and hurt nobody', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('one')
  const client = await connect()
  for (const value of ['1e308', '-1e308', '5e-324', '7'])
    await client.publishAsync(`${topic}/speed`, value, { qos: 1 })
  const read = () =>
    node.ask(
      'GET',
      `ada/board/devices/one/history?from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 1_000).toISOString()}`,
    )
  await waitUntil('they are kept', async () => {
    const { series } = await jsonOf<DeviceHistory>(read())
    return (series[0]?.points.length ?? 0) > 0
  })
  const { series } = await jsonOf<DeviceHistory>(read())
  const all = series[0]?.points ?? []
  expect(Math.max(...all.map(([, , max]) => max))).toBe(7)
  expect(Math.min(...all.map(([, min]) => min))).toBe(0)
})

test.concurrent('[G-85] a page goes on where the one before has ended, also within one moment', async () => {
  await using node = await startDevices()
  await record(node)
  await sendAll(node, 10)
  const all = await readValues(node, 'one')
  const paged: RecordedValue[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { items: RecordedValue[]; nextCursor: string | null } = await jsonOf(
      node.ask(
        'GET',
        `ada/board/devices/one/recorded-values?${TIMES}&limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`,
      ),
    )
    paged.push(...page.items)
    cursor = page.nextCursor
  }
  expect(paged).toEqual(all)
  const speeds = await readValues(node, 'one', '&channels=speed')
  expect(speeds).toEqual(all.filter(({ channel }) => channel === 'speed'))
})

test.concurrent('[G-100] at a resolution, of each channel the last value of each stretch is read, also over pages', async () => {
  await using node = await startDevices()
  await record(node)
  await sendAll(node, 10)
  const all = await readValues(node, 'one')
  // Long enough that several values fall into one, short enough that there are several.
  const stepMs = Math.max(2, Math.ceil(((all.at(-1)?.at ?? 0) - (all[0]?.at ?? 0)) / 5))
  const last = new Map(all.map((value) => [`${value.channel} ${Math.floor(value.at / stepMs)}`, value]))
  const expected = all.filter((value) => [...last.values()].includes(value))
  expect(expected.length).toBeLessThan(all.length)
  expect(await readValues(node, 'one', `&stepMs=${stepMs}`)).toEqual(expected)
  const paged: RecordedValue[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more = `&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page: { items: RecordedValue[]; nextCursor: string | null } = await jsonOf(
      node.ask('GET', `ada/board/devices/one/recorded-values?${TIMES}&stepMs=${stepMs}${more}`),
    )
    paged.push(...page.items)
    cursor = page.nextCursor
  }
  expect(paged).toEqual(expected)
  for (const wrong of ['0', '1.5', 'x'])
    expect(
      await codeOf(node.ask('GET', `ada/board/devices/one/recorded-values?${TIMES}&stepMs=${wrong}`)),
    ).toBe('400 invalid_request')
})

test.concurrent('[G-84] recording is started and stopped, and only what is sent in between is recorded', async () => {
  await using node = await startDevices()
  const { connect, topic } = await node.add('early')
  const client = await connect()
  await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
  await record(node)
  expect(await readValues(node, 'early')).toEqual([])
  const state = await jsonOf<Recorder>(node.ask('GET', 'ada/board/device-recorder'))
  expect(state).toMatchObject({ by: { handle: 'ada' }, maxBytes: 1024 ** 3 })
  expect((await jsonOf<Recorder>(node.ask('DELETE', 'ada/board/device-recorder'))).since).toBeNull()
  expect(node.noted.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['start recording devices', 'stop recording devices']),
  )
})

test.concurrent('[G-98] what waits for a file too long ends recording, and the gap is named once it goes on', async () => {
  await using node = await startDevices()
  expect(await codeOf(node.ask('PUT', 'ada/board/device-recorder'))).toBe('200')
  const { connect, topic } = await node.add('one')
  const client = await connect()
  let sent = 0
  const send = () => client.publishAsync(`${topic}/a`, String((sent += 1)), { qos: 1 })
  const recorded = async () => (await readValues(node, 'one')).map(({ value }) => Number(value))
  const kept = async () => {
    const { rows } = await sql<{ last: number | null }>`select max(last) as last from device_seconds`.execute(
      node.db,
    )
    return rows[0]?.last ?? 0
  }
  await waitUntil('it is recorded', async () => {
    await send()
    return (await recorded()).length > 0
  })
  await sql`update device_chunks set from_at = from_at - interval '2 hours'`.execute(node.db)
  await waitUntil('nothing more is recorded, while its numbers are kept', async () => {
    await send()
    const value = sent
    await waitUntil('its second is over', async () => (await kept()) >= value)
    return !(await recorded()).includes(value)
  })
  await sql`delete from device_chunks`.execute(node.db)
  await waitUntil('it is recorded again', async () => {
    await send()
    return (await recorded()).length > 0
  })
  const { rows } = await sql`select gap_reason from device_chunks order by id limit 1`.execute(node.db)
  expect(rows).toEqual([{ gap_reason: 'store_away' }])
  await client.endAsync()
})

test.concurrent('[G-90] an owner without room is not recorded', async () => {
  await using node = await startDevices({ recording: { ownerBytes: 1 } })
  await record(node)
  await writeFiles(node)
  await waitUntil('it counts', async () => {
    const { bytes } = await jsonOf<Recorder>(node.ask('GET', 'ada/board/device-recorder'))
    return bytes > 1
  })
  const { connect, topic } = await node.add('late')
  const client = await connect()
  // What is recorded is stored before what is kept of every number.
  await waitUntil('its numbers are kept', async () => {
    await client.publishAsync(`${topic}/a`, '1', { qos: 1 })
    const { rows } = await sql`
      select from device_seconds join device_series on id = series_id where channel = 'a'`.execute(node.db)
    return rows.length > 1
  })
  expect(await readValues(node, 'late')).toEqual([])
})

test.concurrent('[G-93] markers are set at a moment, listed in their order and removed', async () => {
  await using node = await startDevices()
  const mark = (label: string, at?: string) =>
    jsonOf<{ id: string; at: string }>(
      node.ask('POST', 'ada/board/device-markers', { label, ...(at === undefined ? {} : { at }) }),
    )
  await mark('later', '2026-01-02T00:00:00.000Z')
  const first = await mark('first', '2026-01-01T00:00:00.000Z')
  const now = await mark('now')
  const list = async (more = '') =>
    (
      await jsonOf<{ items: { label: string }[]; nextCursor: string | null }>(
        node.ask('GET', `ada/board/device-markers${more}`),
      )
    ).items.map(({ label }) => label)
  expect(Math.abs(Date.parse(now.at) - Date.now())).toBeLessThan(60_000)
  expect(await list()).toEqual(['first', 'later', 'now'])
  expect(await list('?to=2026-01-03T00:00:00Z')).toEqual(['first', 'later'])
  expect(await list('?limit=1')).toEqual(['first'])
  expect(await codeOf(node.ask('DELETE', `ada/board/device-markers/${first.id}`))).toBe('204')
  expect(await list()).toEqual(['later', 'now'])
})

test.concurrent('[G-94] whoever may only read starts, stops and marks nothing; a stranger reads nothing', async () => {
  await using node = await startDevices()
  await node.add('one')
  const reading = [
    `ada/board/devices/one/history?${TIMES}`,
    `ada/board/devices/one/recorded-values?${TIMES}`,
    `ada/board/device-export?${TIMES}`,
    'ada/board/device-recordings',
    'ada/board/device-recorder',
    'ada/board/device-markers',
  ]
  for (const path of reading) {
    expect(await codeOf(node.ask('GET', path, undefined, 'reader'))).toBe('200')
    expect(await codeOf(node.ask('GET', path, undefined, 'stranger'))).toBe('403 not_permitted')
  }
  const denied = '403 not_permitted'
  expect(await codeOf(node.ask('PUT', 'ada/board/device-recorder', undefined, 'reader'))).toBe(denied)
  expect(await codeOf(node.ask('DELETE', 'ada/board/device-recorder', undefined, 'reader'))).toBe(denied)
  expect(await codeOf(node.ask('POST', 'ada/board/device-markers', { label: 'a' }, 'reader'))).toBe(denied)
  expect(await codeOf(node.ask('DELETE', 'ada/board/device-markers/a', undefined, 'reader'))).toBe(denied)
})

test.concurrent('[G-95] times the wrong way round and cursors of somebody else are refused', async () => {
  await using node = await startDevices()
  await node.add('one')
  const invalid = '400 invalid_request'
  const path = 'ada/board/devices/one'
  const wrong = 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'
  expect(await codeOf(node.ask('GET', `${path}/history?${wrong}`))).toBe(invalid)
  expect(await codeOf(node.ask('GET', `${path}/recorded-values?${wrong}`))).toBe(invalid)
  expect(await codeOf(node.ask('GET', `ada/board/device-export?${wrong}`))).toBe(invalid)
  expect(await codeOf(node.ask('GET', `${path}/recorded-values?${TIMES}&cursor=abc`))).toBe(invalid)
  expect(await codeOf(node.ask('GET', 'ada/board/device-markers?cursor=abc'))).toBe(invalid)
  expect(await codeOf(node.ask('GET', 'ada/board/device-recordings?cursor=abc'))).toBe(invalid)
  expect(await codeOf(node.ask('GET', `ada/board/device-export?${TIMES}&devices=two`))).toBe(
    '404 device_not_found',
  )
})
