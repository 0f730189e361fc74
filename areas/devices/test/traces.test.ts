import { randomBytes } from 'node:crypto'
import type { CommandResult } from '@patchbay/contracts/devices'
import { systemClock } from '@patchbay/kernel/clock'
import { createLog } from '@patchbay/kernel/log'
import { openTracing } from '@patchbay/kernel/tracing'
import { waitUntil } from '@patchbay/testkit/processes'
import { startTraceReceiver, traceTree } from '@patchbay/testkit/trace-receiver'
import { expect, test } from 'vitest'
import { jsonOf, startDevices } from './start.ts'

test('[K-727][K-717] a value is followed to the page and linked from where it is stored, a command until its answer', async () => {
  await using receiver = await startTraceReceiver()
  const tracing = await openTracing({
    process: 'server',
    node: 'test',
    version: '1',
    clock: systemClock,
    createNonce: () => randomBytes(16).toString('base64url'),
    log: createLog({ level: 'silent', process: 'server' }),
    settings: { traceEndpoint: receiver.url, traceHeaders: undefined, traceRatio: 1 },
    times: { collectMs: 5 },
  })
  await using node = await startDevices({ tracing })
  const { connect, topic } = await node.add('motor')
  const client = await connect()
  client.on('message', (each, bytes) => {
    const { id } = JSON.parse(bytes.toString()) as { id: string }
    client.publish(each.replace(/set$/, 'ack'), JSON.stringify({ id, status: 'done' }))
  })
  await client.subscribeAsync(`${topic}/+/set`)
  const components = { speed: { platform: 'number', command_topic: true, min: 0, max: 10 } }
  await client.publishAsync(`${topic}/$info`, JSON.stringify({ components }), { qos: 1 })
  const page = node.page()
  const wish = { type: 'watch', channels: [{ device: 'motor', channel: 'speed', rate: 30 }] }
  await waitUntil('the page sees it', async () => {
    await node.devices.socket.receive(page, wish)
    await client.publishAsync(`${topic}/speed`, '4.25', { qos: 1 })
    return receiver.spans.some(({ name }) => name === 'send values to a page')
  })
  const sent = await receiver.find('send values to a page')
  expect(traceTree(receiver.spans, sent.traceId)).toBe(`patchbay-server: device value
└─ patchbay-server: send values to a page`)
  const stored = await receiver.find('store device values')
  const values = receiver.spans.filter(({ name }) => name === 'device value').map(({ spanId }) => spanId)
  expect(stored.links.length).toBeGreaterThan(0)
  expect(stored.links.filter(({ spanId }) => !values.includes(spanId))).toEqual([])
  expect(traceTree(receiver.spans, stored.traceId)).toContain('sql ')

  const body = { channel: 'speed', value: 3, timeoutMs: 20_000 }
  const answer = await jsonOf<CommandResult>(node.ask('POST', 'ada/board/devices/motor/commands', body))
  expect(answer.status).toBe('done')
  const command = await receiver.find('command a device')
  expect(command.attributes).toEqual({ 'messaging.system': 'mqtt', 'patchbay.command.status': 'done' })
  await waitUntil('its request arrives', () =>
    receiver.spans.some(({ spanId }) => spanId === command.parentSpanId),
  )
  expect(receiver.bodies.join()).not.toMatch(/\bada\b|motor|speed|4\.25/)
})
