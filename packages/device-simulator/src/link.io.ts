import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { generate, type Packet, parser } from 'mqtt-packet'

export interface LinkOptions {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly clientId: string
  readonly username: string
  readonly key: string
  readonly will: { readonly topic: string; readonly payload: string }
  readonly subscriptions: readonly string[]
  readonly onMessage: (topic: string, payload: string) => void
  readonly signal: AbortSignal
}

/** A connection to a broker that has let us in. */
export interface Link {
  /** What it was given before is still on its way: values that change would only wait. */
  readonly isBusy: boolean
  /** Rejects when it ends, unless it was closed. */
  readonly ended: Promise<void>
  publish(topic: string, payload: string, isRetained?: boolean): void
  /** When all that was published is on its way. */
  close(): Promise<void>
}

/** Why there is no connection: nobody answers, the broker does not know the device or its key, or it ended. */
export class LinkFailure extends Error {
  override readonly name = 'LinkFailure'
  readonly kind: 'unreachable' | 'refused' | 'lost'

  constructor(kind: LinkFailure['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const ANSWER_WITHIN_MS = 10_000
const CLOSE_WITHIN_MS = 2_000
const KEEPALIVE_SECONDS = 30
const PING_MS = (KEEPALIVE_SECONDS * 1_000) / 2
/** What a device is told is small; a server could announce a packet of 256 MB, which would be collected. */
const LARGEST_PACKET = 65_536
const BUSY_BYTES = 65_536

/** MQTT 3.1.1, as much of it as a device needs: messages at most once out, at least once in, nothing kept between connections. */
export function openLink(options: LinkOptions): Promise<Link> {
  const { host, port, isTls, clientId, username, key, will, subscriptions, onMessage, signal } = options
  return new Promise<Link>((resolve, reject) => {
    const socket: Socket = isTls
      ? connectTls({ host, port, ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }) })
      : connectTcp({ host, port })
    socket.setNoDelay(true)
    const read = parser({ protocolVersion: 4 })
    let failure: LinkFailure | undefined
    let collected = 0
    let heardAt = performance.now()
    let isIn = false
    let ends: { resolve(): void; reject(error: Error): void } | undefined
    const send = (packet: Packet) => void (socket.writable && socket.write(generate(packet)))
    const fail = (kind: LinkFailure['kind'], message: string) => {
      failure ??= new LinkFailure(kind, message)
      socket.destroy()
    }
    const late = setTimeout(() => fail('unreachable', 'it did not answer in time'), ANSWER_WITHIN_MS)
    const pinging = setInterval(() => {
      if (performance.now() - heardAt > KEEPALIVE_SECONDS * 1_000) fail('lost', 'nothing was heard of it')
      else if (isIn) send({ cmd: 'pingreq' })
    }, PING_MS)
    const leave = () => socket.destroy()
    signal.addEventListener('abort', leave, { once: true })

    const opened = (): Link => {
      isIn = true
      clearTimeout(late)
      send({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: subscriptions.map((topic) => ({ topic, qos: 1 as const })),
      })
      const ended = new Promise<void>((resolveEnd, rejectEnd) => {
        ends = { resolve: resolveEnd, reject: rejectEnd }
      })
      // Whoever closes the link does not look at how it ended.
      ended.catch(() => undefined)
      return {
        get isBusy() {
          return socket.writableLength > BUSY_BYTES
        },
        ended,
        publish: (topic, payload, isRetained = false) =>
          send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: isRetained }),
        async close() {
          const hurry = setTimeout(leave, CLOSE_WITHIN_MS)
          send({ cmd: 'disconnect' })
          socket.end()
          await ended.catch(() => undefined)
          clearTimeout(hurry)
        },
      }
    }

    read.on('error', () => fail('lost', 'it does not speak MQTT'))
    read.on('packet', (packet) => {
      collected = 0
      if (packet.cmd === 'connack') {
        if (isIn) return
        if (packet.returnCode === 0) resolve(opened())
        else fail('refused', 'it does not know the device or its key')
      } else if (packet.cmd === 'suback') {
        if (packet.granted.some((each) => each === 128))
          fail('refused', 'the device may not hear its commands')
      } else if (packet.cmd === 'publish') {
        if (packet.qos === 1 && packet.messageId !== undefined)
          send({ cmd: 'puback', messageId: packet.messageId })
        onMessage(packet.topic, packet.payload.toString())
      }
    })
    socket.on('data', (chunk) => {
      heardAt = performance.now()
      collected += chunk.length
      read.parse(chunk)
      if (collected > LARGEST_PACKET) fail('lost', 'it sent a packet that is too large')
    })
    socket.on(isTls ? 'secureConnect' : 'connect', () =>
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId,
        keepalive: KEEPALIVE_SECONDS,
        username,
        password: Buffer.from(key),
        will: { ...will, qos: 0, retain: true },
      }),
    )
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(isIn ? 'lost' : 'unreachable', error.code ?? error.message),
    )
    socket.on('close', () => {
      clearTimeout(late)
      clearInterval(pinging)
      signal.removeEventListener('abort', leave)
      const why = failure ?? new LinkFailure(isIn ? 'lost' : 'unreachable', 'the connection was closed')
      reject(why)
      ends?.reject(why)
    })
    if (signal.aborted) leave()
  })
}
