import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { Problem } from '@patchbay/contracts/core'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { Log, Secret } from '@patchbay/kernel/log'
import { generate, type Packet, parser } from 'mqtt-packet'
import type { Broker, DeviceIdentity, MessageListener, Subscription } from './broker.ts'

export interface ExternalBrokerOptions {
  /** `mqtt://host:1883`, or `mqtts://` for TLS. */
  readonly url: string
  /** Of its management, which ends connections: `http://host:15672`. */
  readonly managementUrl: string
  readonly username: string
  readonly password: Secret
  /** Names the connection: the broker ends the older of two with one name. */
  readonly node: string
  readonly log: Log
}

interface Upstream {
  readonly activated: PromiseWithResolvers<void>
  users: number
}

interface Unconfirmed {
  readonly settle: (error?: Problem) => void
  readonly timer: NodeJS.Timeout
}

/** How many messages a device has left, and when that was. */
interface Allowance {
  left: number
  at: number
}

const PROTOCOL = { protocolVersion: 4 } as const
/** The broker is asked so often whether it is there, and is gone when it says nothing for so long. */
const PING_MS = 1_000
const SILENT_MS = 6_000
const CONFIRM_WITHIN_MS = 5_000
const RETRY_MS = [100, 200, 500, 1_000, 2_000] as const
const MOST_UNCONFIRMED = 10_000
const MOST_UNSENT_BYTES = 8 * 1024 ** 2
const TOPICS_AT_ONCE = 200
/** A connection that was being opened while the key was replaced is there a moment later. */
const DISCONNECT_AFTER_MS = [0, 1_000, 5_000, 20_000] as const
const MANAGEMENT_DEADLINE_MS = 5_000
const FORGET_MS = 30_000

/**
 * A broker that several nodes are clients of, tested with RabbitMQ. Nothing is sent later behind the caller's back: what the
 * broker has not confirmed when its connection ends is rejected.
 */
export function createExternalBroker(options: ExternalBrokerOptions): Broker {
  const { log } = options
  const listeners: MessageListener[] = []
  const upstreams = new Map<string, Upstream>()
  const unconfirmed = new Map<number, Unconfirmed>()
  /** Topics that the broker was asked for and has not confirmed yet, by the id of the packet. */
  const asked = new Map<number, readonly string[]>()
  const allowances = new Map<string, Allowance>()
  const closing = new AbortController()
  let socket: Socket | undefined
  /** The broker has let us in. */
  let isOpen = false
  /** And what was subscribed to before is subscribed to again. */
  let isUp = false
  let lastId = 0
  let heardAt = 0

  const send = (packet: Packet) => void socket?.write(generate(packet, PROTOCOL))

  function nextId(): number {
    do lastId = (lastId % 65_535) + 1
    while (unconfirmed.has(lastId) || asked.has(lastId))
    return lastId
  }

  function ask(topics: readonly string[]): void {
    for (let at = 0; at < topics.length; at += TOPICS_AT_ONCE) {
      const some = topics.slice(at, at + TOPICS_AT_ONCE)
      const messageId = nextId()
      asked.set(messageId, some)
      const subscriptions = some.map((topic) => ({ topic: `${topic}/#`, qos: 0 as const }))
      send({ cmd: 'subscribe', messageId, subscriptions })
    }
  }

  function take(packet: Packet): void {
    heardAt = performance.now()
    if (packet.cmd === 'publish') {
      // Retained: it was said before, by whoever may be gone.
      if (packet.retain || !isWithinRate(packet.topic)) return
      const { payload } = packet
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      for (const listener of listeners) listener(packet.topic, bytes)
    } else if (packet.cmd === 'puback') {
      unconfirmed.get(packet.messageId ?? 0)?.settle()
    } else if (packet.cmd === 'suback') {
      const topics = asked.get(packet.messageId ?? 0) ?? []
      asked.delete(packet.messageId ?? 0)
      if (packet.granted.includes(128)) log.warn({ topics }, 'the MQTT broker refused a subscription')
      for (const topic of topics) upstreams.get(topic)?.activated.resolve()
      if (asked.size === 0) isUp = true
    } else if (packet.cmd === 'connack') {
      if (packet.returnCode === 0) {
        log.info('connected to the MQTT broker')
        isOpen = true
        ask([...upstreams.keys()])
        if (asked.size === 0) isUp = true
      } else {
        log.warn({ code: packet.returnCode }, 'the MQTT broker refused the connection')
        socket?.destroy()
      }
    }
  }

  /** The broker slows nobody down: what is more than a device may say is left out here, so that pages and tables do not pay for it. */
  function isWithinRate(topic: string): boolean {
    const device = topic.split('/', 4).join('/')
    const now = performance.now()
    const known = allowances.get(device)
    const gained = known === undefined ? 0 : ((now - known.at) / 1000) * DEVICE_LIMITS.messagesPerSecond
    const left = Math.min(DEVICE_LIMITS.messageBurst, (known?.left ?? DEVICE_LIMITS.messageBurst) + gained)
    allowances.set(device, { left: left >= 1 ? left - 1 : left, at: now })
    return left >= 1
  }

  const forgetting = setInterval(() => {
    const before = performance.now() - FORGET_MS
    for (const [device, { at }] of allowances) if (at < before) allowances.delete(device)
  }, FORGET_MS).unref()

  /** One connection, from its beginning to its end. */
  async function stayConnected(): Promise<void> {
    const { protocol, hostname, port } = new URL(options.url)
    const isTls = protocol === 'mqtts:'
    const to = { host: hostname, port: Number(port === '' ? (isTls ? 8883 : 1883) : port) }
    const opened = isTls ? connectTls({ ...to, servername: hostname }) : connectTcp(to)
    opened.setNoDelay(true)
    const ended = once(opened, 'close')
    opened.on('error', (err) => log.debug({ err }, 'the connection to the MQTT broker failed'))
    socket = opened
    heardAt = performance.now()
    const reader = parser(PROTOCOL)
    reader.on('packet', take)
    reader.on('error', () => opened.destroy())
    opened.on('data', (chunk) => reader.parse(chunk))
    opened.once(isTls ? 'secureConnect' : 'connect', () =>
      send({
        cmd: 'connect',
        protocolId: 'MQTT',
        ...PROTOCOL,
        clientId: `${options.username}-${options.node}`,
        clean: true,
        keepalive: Math.ceil((SILENT_MS * 2) / 1000),
        username: options.username,
        password: Buffer.from(options.password.reveal()),
      }),
    )
    const pinging = setInterval(() => {
      if (performance.now() - heardAt > SILENT_MS) opened.destroy()
      else if (isOpen) send({ cmd: 'pingreq' })
    }, PING_MS)
    try {
      await ended
    } finally {
      clearInterval(pinging)
      isOpen = false
      isUp = false
      socket = undefined
      asked.clear()
      for (const { settle } of unconfirmed.values()) settle(new Problem('broker_unavailable'))
    }
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !closing.signal.aborted; attempt += 1) {
      const begunAt = performance.now()
      await stayConnected().catch((err: unknown) => log.debug({ err }, 'failed to reach the MQTT broker'))
      if (closing.signal.aborted) return
      if (performance.now() - begunAt > SILENT_MS) attempt = 0
      if (attempt === 0) log.warn('no connection to the MQTT broker, trying again')
      await sleep(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)], undefined, { ref: false })
    }
  }

  async function endConnections({ id, username }: Pick<DeviceIdentity, 'id' | 'username'>): Promise<void> {
    const url = `${options.managementUrl}/api/connections/username/${encodeURIComponent(username)}`
    const credentials = Buffer.from(`${options.username}:${options.password.reveal()}`).toString('base64')
    let isDone = false
    let waitedMs = 0
    for (const afterMs of DISCONNECT_AFTER_MS) {
      await sleep(afterMs - waitedMs, undefined, { ref: false })
      waitedMs = afterMs
      try {
        const answer = await fetch(url, {
          method: 'DELETE',
          headers: { authorization: `Basic ${credentials}`, 'x-reason': 'the key is no longer valid' },
          signal: AbortSignal.timeout(MANAGEMENT_DEADLINE_MS),
        })
        // 404: nobody is connected as this device.
        isDone ||= answer.ok || answer.status === 404
      } catch (err) {
        log.debug({ err, device: id }, 'failed to end the connections of a device, retrying')
      }
    }
    if (!isDone) log.error({ device: id }, 'failed to end the connections of a device')
  }

  const running = reconnect()
  return {
    get isUp() {
      return isUp
    },
    isShared: true,
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        const isFull =
          unconfirmed.size >= MOST_UNCONFIRMED || (socket?.writableLength ?? 0) > MOST_UNSENT_BYTES
        if (!isUp || isFull) return reject(new Problem('broker_unavailable'))
        const messageId = nextId()
        const settle = (error?: Problem) => {
          clearTimeout(timer)
          unconfirmed.delete(messageId)
          if (error === undefined) resolve()
          else reject(error)
        }
        const timer = setTimeout(() => settle(new Problem('broker_unavailable')), CONFIRM_WITHIN_MS)
        unconfirmed.set(messageId, { settle, timer })
        send({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false, messageId })
      }),
    onMessage: (listener) => void listeners.push(listener),
    subscribe(topic): Subscription {
      const known = upstreams.get(topic)
      const upstream = known ?? { activated: Promise.withResolvers<void>(), users: 0 }
      upstream.users += 1
      if (known === undefined) {
        upstreams.set(topic, upstream)
        if (isOpen) ask([topic])
      }
      let isOver = false
      return {
        isActive: upstream.activated.promise,
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          upstream.users -= 1
          if (upstream.users > 0) return
          upstreams.delete(topic)
          if (isOpen) send({ cmd: 'unsubscribe', messageId: nextId(), unsubscriptions: [`${topic}/#`] })
        },
      }
    },
    disconnect: (device) => void endConnections(device),
    // It asks over HTTP (`broker-access.routes.ts`).
    setPolicy: () => undefined,
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      clearInterval(forgetting)
      if (isOpen) send({ cmd: 'disconnect' })
      socket?.destroySoon()
      setTimeout(() => socket?.destroy(), 1_000).unref()
      await Promise.race([running, sleep(2_000, undefined, { ref: false })])
    },
  }
}
