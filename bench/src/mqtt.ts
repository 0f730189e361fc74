import { connect } from 'node:net'

/** A device by hand: a client library would take more of a small machine than the brokers under test. */
export interface MqttSocket {
  /** At most once. `false`: the broker reads more slowly than this is written. */
  publish(topic: string, payload: string): boolean
  subscribe(filter: string): Promise<void>
  close(): void
}

export interface MqttLogin {
  readonly port: number
  readonly clientId: string
  readonly username: string
  readonly password: string
}

const CONNECT = 0x10
const CONNACK = 2
const PUBLISH = 3
const PUBACK = 0x40
const SUBSCRIBE = 0x82
const SUBACK = 9
const CLEAN_WITH_USERNAME_AND_PASSWORD = 0xc2
const VERSION_3_1_1 = 4
const AT_LEAST_ONCE = 1

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function packet(head: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  let rest = body.length
  do {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    rest >>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from([head, ...length]), body])
}

/** Without keep-alive: what is measured are the connections themselves. */
export function openMqtt(
  { port, clientId, username, password }: MqttLogin,
  onMessage: (topic: string, payload: string) => void,
  onEnd: () => void,
): Promise<MqttSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<MqttSocket>()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const subscribing: (() => void)[] = []
  const topics = new Map<string, Buffer>()
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = false

  const opened: MqttSocket = {
    publish(topic, payload) {
      let head = topics.get(topic)
      if (head === undefined) topics.set(topic, (head = text(topic)))
      return socket.write(packet(PUBLISH << 4, head, Buffer.from(payload)))
    },
    subscribe(filter) {
      socket.write(packet(SUBSCRIBE, Buffer.from([0, 1]), text(filter), Buffer.from([AT_LEAST_ONCE])))
      return new Promise((subscribed) => void subscribing.push(subscribed))
    },
    close: () => void socket.destroy(),
  }

  const read = (head: number, body: Buffer) => {
    const kind = head >> 4
    if (kind === CONNACK) {
      if (body[1] !== 0) return socket.destroy(new Error(`the broker refused a device with ${body[1]}`))
      isOpen = true
      resolve(opened)
    } else if (kind === SUBACK) subscribing.shift()?.()
    else if (kind === PUBLISH) {
      const end = 2 + body.readUInt16BE(0)
      const isConfirmed = (head & 6) !== 0
      if (isConfirmed) socket.write(packet(PUBACK, body.subarray(end, end + 2)))
      onMessage(body.toString('utf8', 2, end), body.toString('utf8', end + (isConfirmed ? 2 : 0)))
    }
    return undefined
  }
  socket.on('connect', () => {
    const flags = Buffer.from([VERSION_3_1_1, CLEAN_WITH_USERNAME_AND_PASSWORD, 0, 0])
    socket.write(packet(CONNECT, text('MQTT'), flags, text(clientId), text(username), text(password)))
  })
  socket.on('data', (chunk) => {
    rest = readPackets(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), read)
  })
  socket.on('error', reject)
  socket.on('close', () => {
    reject(new Error('the broker hung up'))
    if (isOpen) onEnd()
  })
  return promise
}

/** Hands over every whole packet and returns what is left. */
function readPackets(bytes: Buffer, onPacket: (head: number, body: Buffer) => void): Buffer {
  let at = 0
  for (;;) {
    let length = 0
    let digits = 0
    let digit = 128
    while (digit >= 128) {
      if (at + 1 + digits >= bytes.length) return bytes.subarray(at)
      digit = bytes.readUInt8(at + 1 + digits)
      length += (digit & 127) * 128 ** digits
      digits += 1
    }
    const start = at + 1 + digits
    if (bytes.length < start + length) return bytes.subarray(at)
    onPacket(bytes.readUInt8(at), bytes.subarray(start, start + length))
    at = start + length
  }
}
