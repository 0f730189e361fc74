import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokerContract } from './broker-contract.ts'
import { type DevicesNode, startDevices } from './start.ts'

let node: DevicesNode
beforeAll(async () => {
  node = await startDevices()
})
afterAll(() => node[Symbol.asyncDispose]())

brokerContract(() => node)

test('[G-13] two devices with the same client id are both connected', async () => {
  const [one, other] = [await node.add('one'), await node.add('other')]
  const first = await one.connect({ clientId: 'same' })
  const second = await other.connect({ clientId: 'same' })
  await second.publishAsync(`${other.topic}/a`, '1', { qos: 1 })
  await first.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
  expect([first.connected, second.connected]).toEqual([true, true])
})

test('[G-14] a packet that is too large closes the connection before it is collected', async () => {
  const socket = connectTcp(node.mqttPort, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  // A CONNECT that says that it has 100 MB.
  socket.write(Buffer.from([0x10, 0x80, 0xc2, 0xd7, 0x2f, 0, 4]))
  await once(socket, 'close')
  expect(socket.destroyed).toBe(true)
})
