import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import mqttPacket from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { accessContract, brokerContract } from './broker-contract.ts'
import { type DevicesNode, PAGE_ORIGIN, startDevices } from './start.ts'

describe('over TCP', () => {
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
})

describe('[G-110] over WebSocket', () => {
  let node: DevicesNode
  beforeAll(async () => {
    node = await startDevices({ isOverWebSocket: true })
  })
  afterAll(() => node[Symbol.asyncDispose]())

  accessContract(() => node)

  const dial = (protocol: string[] = ['mqtt'], options: ClientOptions = {}) =>
    new WebSocket(`ws://127.0.0.1:${node.mqttPort}/any/path`, protocol, options)
  /** `open`, or the status of the refusal. */
  const outcomeOf = (socket: WebSocket) =>
    new Promise<number | 'open'>((resolve, reject) => {
      socket.on('open', () => resolve('open'))
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
        resolve(statusCode)
        socket.terminate()
      })
      socket.on('error', reject)
    })

  test('[G-111][K-870] pages of other origins and other protocols are refused, and plain requests told so', async () => {
    for (const [origin, outcome] of [
      [PAGE_ORIGIN, 'open'],
      ['https://stranger.example', 403],
      ['null', 403],
    ] as const) {
      const socket = dial(['mqtt'], { headers: { origin } })
      expect([origin, await outcomeOf(socket)]).toEqual([origin, outcome])
      socket.terminate()
    }
    for (const protocols of [[], ['chat'], ['chat', 'mqtt']]) {
      const socket = dial(protocols)
      expect(await outcomeOf(socket)).toBe(protocols.includes('mqtt') ? 'open' : 400)
      expect(socket.protocol).toBe(protocols.includes('mqtt') ? 'mqtt' : '')
      socket.terminate()
    }
    expect((await fetch(`http://127.0.0.1:${node.mqttPort}/`)).status).toBe(426)
  })

  test('[G-112][K-870] what breaks the protocol ends that WebSocket, and nothing else', async () => {
    const one = await node.add('beside')
    const client = await one.connect()
    const connect = mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: '',
      keepalive: 0,
      username: one.username,
      password: Buffer.from(one.key),
    })
    const broken: [string | Buffer, { binary: boolean }][] = [
      [connect.toString('latin1'), { binary: false }],
      [Buffer.alloc(100_000), { binary: true }],
      [Buffer.from([0x10, 0x80, 0xc2, 0xd7, 0x2f, 0, 4]), { binary: true }],
      [Buffer.from('GET / HTTP/1.1\r\n\r\n'), { binary: true }],
      [Buffer.from([0x30, 3, 0, 1, 0x61]), { binary: true }],
    ]
    for (const [message, options] of broken) {
      const socket = dial()
      await once(socket, 'open')
      socket.send(message, options)
      await once(socket, 'close')
    }
    // The same bytes as they should be sent, in two pieces: a packet may be cut anywhere.
    const whole = dial()
    await once(whole, 'open')
    const answered = once(whole, 'message')
    whole.send(connect.subarray(0, 9))
    whole.send(connect.subarray(9))
    expect(Buffer.from((await answered)[0] as Buffer).toString('hex')).toBe('20020000')
    whole.ping('still there')
    expect(String((await once(whole, 'pong'))[0])).toBe('still there')
    whole.terminate()
    await client.publishAsync(`${one.topic}/a`, '1', { qos: 1 })
    expect(client.connected).toBe(true)
  })
})
