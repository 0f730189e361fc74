import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@patchbay/contracts/core'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { mayPublish, maySubscribe } from '@patchbay/device-kit'
import type { Log } from '@patchbay/kernel/log'
import { Aedes, type Client } from 'aedes'
import type { Broker, BrokerPolicy, DeviceIdentity, MessageListener } from './broker.ts'
import { type MqttPortOptions, openMqttPort } from './mqtt-port.io.ts'

export interface EmbeddedBrokerOptions {
  /** Where devices connect. `undefined`: nobody does, and values come over HTTP. */
  readonly listen?: Omit<MqttPortOptions, 'onConnection'>
  readonly log: Log
}

export interface EmbeddedBroker extends Broker {
  /** Where devices connect; the one that the system chose if it was asked to. */
  readonly port: number | undefined
}

const CONNECT_WITHIN_MS = 10_000
const LONGEST_CLIENT_ID = 128

/** A device that lost its connections may come again before they are known to be lost. */
const CONNECTIONS_OF_DEVICE = 16
const SUBSCRIPTIONS_OF_CONNECTION = 100

/** How many messages a device has left, and when that was. */
interface Allowance {
  left: number
  at: number
}

/** A broker inside the server, for one node. It keeps nothing for anybody who comes later: that would grow with what devices say. */
export async function createEmbeddedBroker({ listen, log }: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
  const listeners: MessageListener[] = []
  const devices = new WeakMap<Client, DeviceIdentity>()
  const clients = new Map<number, Set<Client>>()
  const allowances = new WeakMap<Client, Allowance>()
  const filters = new WeakMap<Client, Set<string>>()
  let policy: BrokerPolicy | undefined
  let isUp = true

  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_WITHIN_MS,
    maxClientsIdLength: LONGEST_CLIENT_ID,
    maxTopicLevels: 20,
    queueLimit: 100,
    maxInflightInbound: 20,
    authenticate(client, username, key, done) {
      authenticate(client, username ?? '', key?.toString() ?? '').then(
        (isKnown) => done(null, isKnown),
        // Who it is cannot be found out at the moment; devices try again.
        () => done(null, false),
      )
    },
    authorizePublish(client, packet, callback) {
      const device = client === null ? undefined : devices.get(client)
      if (client === null || device === undefined || !mayPublish(device.topic, packet.topic))
        return callback(new Error('not allowed to publish here'))
      packet.retain = false
      // A device that floods waits: its own socket is read no faster, and nobody else's is slower for it.
      const waitMs = spend(allowances, client)
      if (waitMs === 0) callback(null)
      else void sleep(waitMs).then(() => callback(null))
    },
    authorizeSubscribe(client, subscription, callback) {
      const device = devices.get(client)
      const isAllowed =
        device !== undefined &&
        maySubscribe(device.topic, subscription.topic) &&
        hasRoom(client, subscription.topic)
      callback(null, isAllowed ? subscription : null)
    },
  })

  async function authenticate(client: Client, username: string, key: string): Promise<boolean> {
    const device = await policy?.authenticate(username, key)
    if (device === undefined) return false
    devices.set(client, device)
    // Brokers end the older of two connections with the same client id, which must not be another device's.
    client.id = `${device.id}/${client.id}`
    // Otherwise everything would be kept for it that comes while it is away.
    client.clean = true
    return true
  }

  function hasRoom(client: Client, topic: string): boolean {
    const known = filters.get(client) ?? new Set()
    filters.set(client, known)
    if (!known.has(topic) && known.size >= SUBSCRIPTIONS_OF_CONNECTION) return false
    known.add(topic)
    return true
  }

  aedes.on('clientReady', (client) => {
    const device = devices.get(client)
    if (device === undefined) return
    const known = clients.get(device.id) ?? new Set()
    clients.set(device.id, known.add(client))
    const [oldest] = known
    if (known.size > CONNECTIONS_OF_DEVICE) oldest?.close()
    policy?.connected(device)
  })
  const listening = new WeakSet<Client>()
  aedes.on('subscribe', (_filters, client) => {
    const device = devices.get(client)
    if (device === undefined || listening.has(client)) return
    listening.add(client)
    policy?.subscribed(device)
  })
  aedes.on('unsubscribe', (topics, client) => topics.forEach((topic) => filters.get(client)?.delete(topic)))
  aedes.on('clientDisconnect', (client) => {
    const device = devices.get(client)
    const known = device === undefined ? undefined : clients.get(device.id)
    if (device === undefined || known?.delete(client) !== true || known.size > 0) return
    clients.delete(device.id)
    policy?.disconnected(device)
  })
  aedes.on('publish', ({ topic, payload }, client) => {
    // What the server itself has published is heard by devices alone.
    if (client === null) return
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    for (const listener of listeners) listener(topic, bytes)
  })
  // A client that breaks the protocol is closed by the broker; without a listener this would end the process.
  aedes.on('clientError', (_client, err) => log.debug({ err }, 'device connection failed'))
  aedes.on('connectionError', (_client, err) => log.debug({ err }, 'device connection failed'))

  const server =
    listen === undefined
      ? undefined
      : await openMqttPort({ ...listen, onConnection: (stream) => void aedes.handle(stream) })
  const address = server?.address()
  return {
    get isUp() {
      return isUp
    },
    isShared: false,
    port: typeof address === 'object' ? address?.port : undefined,
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        if (!isUp) return reject(new Problem('broker_unavailable'))
        const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
        aedes.publish(packet, (error) =>
          error == null ? resolve() : reject(new Problem('broker_unavailable', { cause: error })),
        )
      }),
    onMessage: (listener) => void listeners.push(listener),
    // It hears everything anyway.
    subscribe: () => ({ isActive: Promise.resolve(), [Symbol.dispose]: () => undefined }),
    disconnect({ id }) {
      for (const client of clients.get(id) ?? []) client.close()
    },
    setPolicy(given) {
      policy = given
    },
    async close() {
      if (!isUp) return
      isUp = false
      server?.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }
}

/** A token bucket. Answers for how long the device has to wait. */
function spend(allowances: WeakMap<Client, Allowance>, client: Client): number {
  const now = performance.now()
  const allowance = allowances.get(client) ?? { left: DEVICE_LIMITS.messageBurst, at: now }
  const gained = ((now - allowance.at) / 1000) * DEVICE_LIMITS.messagesPerSecond
  const left = Math.min(DEVICE_LIMITS.messageBurst, allowance.left + gained) - 1
  allowances.set(client, { left, at: now })
  return left >= 0 ? 0 : (-left / DEVICE_LIMITS.messagesPerSecond) * 1000
}
