import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import {
  type Acknowledgement,
  type ChannelBinding,
  type DeviceInfo,
  type DeviceTopic,
  guessChannel,
  ROOT,
  readAcknowledgement,
  readDiscovery,
  readInfo,
  readPayload,
  readTopic,
  STATUS,
  valueOf,
} from '@patchbay/device-kit'
import type { DeviceIdentity, Subscription } from './broker.ts'
import type { DevicesDeps } from './deps.ts'
import {
  type DeviceRecord,
  findRecord,
  forgetConnections,
  type SelfDescription,
  storeDescriptions,
  storeSeen,
  storeSilent,
  storeValues,
} from './device.store.ts'
import { createKeeper } from './keeper.ts'
import { createValueTraces } from './value-traces.ts'

/** A value as it arrived. */
export interface HeardValue {
  readonly device: number
  readonly channel: string
  readonly value: DeviceValue
  /** Milliseconds since 1970. */
  readonly at: number
}

export type ValueListener = (heard: HeardValue) => void

export interface LiveDevices {
  /** Whether this node keeps what devices say. */
  readonly isKeeper: boolean
  /** Of the devices that this node has heard of. */
  readonly connectedCount: number
  /** Hears every value of one device, and keeps the latest, until it is disposed. */
  listen(device: Pick<DeviceIdentity, 'id' | 'topic'>, listener: ValueListener): Subscription
  /** Hears every value of all devices while this node is the one that keeps them. */
  onKeeping(listener: ValueListener): void
  /** What this node has heard of a device that it listens to. */
  latest(device: number, channel: string): HeardValue | undefined
  /** The same of all its channels. */
  latestOf(device: number): HeardValue[]
  /** What became of commands. */
  onAcknowledgement(listener: (device: number, ack: Acknowledgement) => void): void
  /** Values that came over HTTP. `false`: they are more than a device may have. */
  hear(device: DeviceRecord, values: Readonly<Record<string, DeviceValue>>): Promise<boolean>
  connected(device: DeviceIdentity): void
  disconnected(device: DeviceIdentity): void
  /** It was removed. */
  forget(device: DeviceIdentity): void
  start(): Promise<void>
  /** Stores what is not stored yet. */
  stop(): Promise<void>
}

/** What this node knows of one device that speaks. */
interface Live {
  readonly id: number
  readonly topic: string
  readonly channels: Map<string, ChannelBinding>
  readonly latest: Map<string, HeardValue>
  readonly unstored: Set<string>
  seenAt: number | undefined
  isConnected: boolean
  isSeenUnstored: boolean
  /** Of all that it has said of itself, which may come in several pieces. */
  said: Omit<SelfDescription, 'channels'>
}

const FLUSH_MS = 1_000
/** Between two searches for devices that nothing is heard of, whoever heard them last. */
const SILENT_SWEEP_MS = 5_000
/** In which another node begins to keep what devices say. */
const HANDOVER_MS = 1_500
const NOTHING = { title: null, manufacturer: null, model: null, version: null }
/** A clock that is further ahead than this is wrong. */
const AHEAD_MS = 60_000

/** Hears what devices say, keeps the latest of it, and tells whoever listens. */
export function createLiveDevices(
  deps: DevicesDeps,
  announce: (devices: readonly number[]) => void,
): LiveDevices {
  const { db, broker, clock, log, tracing } = deps
  const keeper = createKeeper(deps)
  const devices = new Map<string, Live>()
  const byId = new Map<number, Live>()
  /** Those whose row is being read, with what they have said meanwhile. */
  const loading = new Map<string, (() => void)[]>()
  const listeners = new Map<number, Set<ValueListener>>()
  let keepingListener: ValueListener | undefined
  const traces = createValueTraces(tracing)
  let acknowledged: ((device: number, ack: Acknowledgement) => void) | undefined
  let flushing: NodeJS.Timeout | undefined
  let isFlushing = false
  let sweptAt = 0
  const restated = inBatches<Live>(
    async (changed) => {
      await storeSeen(db, changed.map(seenOf))
      announce(changed.map(({ id }) => id))
    },
    (err) => log.debug({ err }, 'failed to store the status of devices, retrying'),
  )
  const described = inBatches<Live>(
    async (changed) => {
      await storeDescriptions(
        db,
        changed.map(({ id, said, channels }) => ({ id, ...said, channels: [...channels.values()] })),
      )
      announce(changed.map(({ id }) => id))
    },
    (err) => log.warn({ err }, 'failed to store what devices say of themselves'),
  )
  /** Where nodes share a broker, the one that keeps what devices say hears all of them; the others what their pages watch. */
  let everything: Subscription | undefined

  function add({ id, topic, channels }: DeviceRecord): Live {
    const known = devices.get(topic)
    if (known !== undefined) return known
    const made: Live = {
      id,
      topic,
      channels: new Map(channels.map((channel) => [channel.name, channel])),
      latest: new Map(),
      unstored: new Set(),
      seenAt: undefined,
      isConnected: false,
      isSeenUnstored: false,
      said: NOTHING,
    }
    devices.set(topic, made)
    byId.set(id, made)
    return made
  }

  function receive(topic: string, payload: Uint8Array): void {
    const read = readTopic(topic)
    if (read === undefined) return
    const base = topic.slice(0, topic.length - read.suffix.length - 1)
    const device = devices.get(base)
    if (device !== undefined) return handle(device, read, payload)
    const waiting = loading.get(base)
    const later = () => {
      const loaded = devices.get(base)
      if (loaded !== undefined) handle(loaded, read, payload)
    }
    if (waiting !== undefined) {
      if (waiting.length < DEVICE_LIMITS.messageBurst) waiting.push(later)
      return
    }
    loading.set(base, [later])
    void load(base, read)
  }

  async function load(base: string, { owner, repo, device }: DeviceTopic): Promise<void> {
    try {
      const record = await findRecord(db, { owner, repo }, device)
      if (record !== undefined) add(record)
    } catch (err) {
      log.warn({ err, topic: base }, 'failed to read a device, dropping its messages')
    }
    const waiting = loading.get(base) ?? []
    loading.delete(base)
    for (const each of waiting) each()
  }

  function handle(device: Live, { kind, suffix }: DeviceTopic, payload: Uint8Array): void {
    // Of a broker beside the server, what devices are told comes back to us.
    if (kind === 'set' || kind === 'stop') return
    if (kind === 'status' && isOffline(textOf(payload))) return setConnected(device, false)
    see(device)
    if (kind === 'value') return traces.take(() => takeValue(device, suffix, payload))
    if (kind === 'info') return describe(device, readInfo(textOf(payload)), true)
    if (kind === 'discovery')
      return describe(device, readDiscovery(device.topic, suffix, textOf(payload)), false)
    const ack = kind === 'ack' || kind === 'stop_ack' ? readAcknowledgement(textOf(payload)) : undefined
    if (ack !== undefined) acknowledged?.(device.id, ack)
  }

  function see(device: Live): void {
    device.seenAt = clock.now().getTime()
    if (!keeper.isUs) return
    device.isSeenUnstored = true
    if (!device.isConnected) setConnected(device, true)
  }

  function setConnected(device: Live, isConnected: boolean): void {
    // Another node may have noted since then that it connected.
    const isNews = device.isConnected !== isConnected || (broker.isShared && !isConnected)
    if (!isNews || !keeper.isUs) return
    device.isConnected = isConnected
    device.isSeenUnstored = true
    restated(device)
  }

  const seenOf = ({ id, seenAt, isConnected }: Live) => ({
    id,
    at: seenAt === undefined ? clock.now() : new Date(seenAt),
    isConnected,
  })

  function takeValue(device: Live, suffix: string, payload: Uint8Array): void {
    const read = readPayload(payload)
    if (read === undefined) return
    const now = clock.now().getTime()
    const at = read.at === undefined || read.at > now + AHEAD_MS ? now : read.at
    let isKnown = false
    for (const channel of device.channels.values()) {
      if (!isSameTopic(channel.stateTopic, suffix)) continue
      isKnown = true
      const value = valueOf(channel, read.value)
      if (value !== undefined) note(device, { device: device.id, channel: channel.name, value, at })
    }
    if (isKnown || suffix.includes('/')) return
    const guessed = guessChannel(suffix, read.value)
    if (guessed === undefined || !learn(device, guessed)) return
    note(device, { device: device.id, channel: guessed.name, value: read.value, at })
  }

  /** `false`: it has as many channels as it may have. */
  function learn(device: Live, channel: ChannelBinding): boolean {
    if (device.channels.size >= DEVICE_LIMITS.channels) return false
    device.channels.set(channel.name, channel)
    storeChannels(device, NOTHING)
    return true
  }

  function note(device: Live, heard: HeardValue): void {
    device.latest.set(heard.channel, heard)
    for (const listener of listeners.get(device.id) ?? []) listener(heard)
    if (!keeper.isUs) return
    device.unstored.add(heard.channel)
    traces.note()
    keepingListener?.(heard)
  }

  /** All of a device's channels, or some that it announces one after the other. */
  function describe(device: Live, info: DeviceInfo | undefined, isAll: boolean): void {
    if (info === undefined) return
    const before = JSON.stringify([...device.channels.values()])
    if (isAll) device.channels.clear()
    for (const channel of info.channels) {
      if (device.channels.has(channel.name) || device.channels.size < DEVICE_LIMITS.channels)
        device.channels.set(channel.name, channel)
    }
    const isNew = JSON.stringify([...device.channels.values()]) !== before
    // A device says all of this at every connection, and mostly the same.
    if (isNew || info.title !== null) storeChannels(device, info)
  }

  function storeChannels(device: Live, info: Omit<SelfDescription, 'channels'>): void {
    if (!keeper.isUs) return
    const { said } = device
    device.said = {
      title: info.title ?? said.title,
      manufacturer: info.manufacturer ?? said.manufacturer,
      model: info.model ?? said.model,
      version: info.version ?? said.version,
    }
    described(device)
  }

  function drop({ id, topic }: Pick<Live, 'id' | 'topic'>): void {
    if (devices.get(topic)?.id === id) devices.delete(topic)
    byId.delete(id)
  }

  /** Begins or ends hearing everything. */
  async function lookWhoKeeps(): Promise<void> {
    await keeper.look()
    if (keeper.isUs) everything ??= broker.subscribe(ROOT)
    else if (everything !== undefined) {
      everything[Symbol.dispose]()
      everything = undefined
      // What is not heard any more would be taken for the latest.
      for (const device of devices.values()) if (!listeners.has(device.id)) drop(device)
    }
  }

  /** Devices that have been silent since before this node began to keep what they say. Those that nobody watches are forgotten. */
  async function sweepSilent(now: number): Promise<void> {
    if (!broker.isShared || performance.now() - sweptAt < SILENT_SWEEP_MS) return
    sweptAt = performance.now()
    for (const device of devices.values()) {
      const isSilent = !device.isConnected && now - (device.seenAt ?? now) > DEVICE_LIMITS.silentMs
      if (isSilent && !listeners.has(device.id)) drop(device)
    }
    announce(await storeSilent(db, new Date(now - DEVICE_LIMITS.silentMs)))
  }

  /** What a second has brought, in two statements. */
  async function flush(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    try {
      // A node that had hung must not store over what another one has stored since.
      await lookWhoKeeps()
      if (!keeper.isUs) return
      const now = clock.now().getTime()
      for (const device of devices.values())
        if (device.isConnected && now - (device.seenAt ?? now) > DEVICE_LIMITS.silentMs)
          setConnected(device, false)
      const seen = [...devices.values()].filter(({ isSeenUnstored }) => isSeenUnstored)
      const values = [...devices.values()].flatMap((device) =>
        [...device.unstored].flatMap((channel) => device.latest.get(channel) ?? []),
      )
      for (const device of devices.values()) {
        device.isSeenUnstored = false
        device.unstored.clear()
      }
      try {
        const known = await storeSeen(db, seen.map(seenOf))
        // Removed, by a request to another node: its name may be another device's by now.
        for (const device of seen) if (!known.has(device.id)) drop(device)
        await sweepSilent(now)
        await traces.store(() =>
          storeValues(
            db,
            values.map(({ device, channel, value, at }) => ({
              device,
              channel,
              value: JSON.stringify(value),
              at: new Date(at),
            })),
          ),
        )
      } catch (err) {
        for (const { device, channel } of values) byId.get(device)?.unstored.add(channel)
        log.debug({ err }, 'failed to store values, retrying')
      }
    } finally {
      isFlushing = false
    }
  }

  /** As if the device had published them, so that every node hears them that wants to. */
  async function publishFor(
    { topic, channels }: DeviceRecord,
    values: Readonly<Record<string, DeviceValue>>,
  ): Promise<boolean> {
    const names = new Set([...channels.map(({ name }) => name), ...Object.keys(values)])
    if (names.size > DEVICE_LIMITS.channels) return false
    await Promise.all(
      Object.entries(values).map(([name, value]) => {
        const channel = channels.find((each) => each.name === name)
        return broker.publish(`${topic}/${channel?.stateTopic ?? name}`, JSON.stringify(value))
      }),
    )
    return true
  }

  /** Whichever node the broker asked: the one that keeps what devices say hears of it with the first message. */
  function noteConnected(id: number): void {
    storeSeen(db, [{ id, at: clock.now(), isConnected: true }]).then(
      () => announce([id]),
      (err: unknown) => log.debug({ err }, 'failed to store the status of a device'),
    )
  }

  broker.onMessage(receive)
  return {
    get connectedCount() {
      return [...devices.values()].filter(({ isConnected }) => isConnected).length
    },
    get isKeeper() {
      return keeper.isUs
    },
    listen({ id, topic }, listener) {
      const known = listeners.get(id) ?? new Set()
      listeners.set(id, known.add(listener))
      const upstream = broker.subscribe(topic)
      return {
        isActive: upstream.isActive,
        [Symbol.dispose]() {
          upstream[Symbol.dispose]()
          known.delete(listener)
          if (known.size > 0) return
          listeners.delete(id)
          if (!keeper.isUs) drop({ id, topic })
        },
      }
    },
    onKeeping(listener) {
      keepingListener = listener
    },
    latest: (device, channel) => byId.get(device)?.latest.get(channel),
    latestOf: (device) => [...(byId.get(device)?.latest.values() ?? [])],
    onAcknowledgement(listener) {
      acknowledged = listener
    },
    async hear(record, values) {
      if (broker.isShared) return await publishFor(record, values)
      const device = add(record)
      see(device)
      const at = clock.now().getTime()
      return Object.entries(values).every(([name, value]) => {
        if (!device.channels.has(name)) {
          const guessed = guessChannel(name, value)
          if (guessed === undefined || !learn(device, guessed)) return false
        }
        note(device, { device: device.id, channel: name, value, at })
        return true
      })
    },
    connected(identity) {
      if (broker.isShared) return noteConnected(identity.id)
      // As if it had said so: one that is not known yet is read first.
      receive(`${identity.topic}/${STATUS}`, Buffer.from('online'))
    },
    disconnected({ topic }) {
      const device = devices.get(topic)
      if (device !== undefined) setConnected(device, false)
    },
    forget: drop,
    async start() {
      await lookWhoKeeps()
      // Devices stay connected to a broker that others use as well.
      if (!broker.isShared)
        await forgetConnections(db, clock.now()).catch((err: unknown) =>
          log.warn({ err }, 'failed to reset the status of devices'),
        )
      flushing ??= setInterval(() => void flush(), FLUSH_MS).unref()
    },
    async stop() {
      if (await keeper.leave()) await sleep(HANDOVER_MS)
      clearInterval(flushing)
      if (!broker.isShared) for (const device of devices.values()) device.isConnected = false
      await flush()
      everything?.[Symbol.dispose]()
    },
  }
}

/**
 * What changes while a batch is written is the next one: a thousand devices that connect at once cost a few statements, and an
 * older state is never written over a newer one.
 */
function inBatches<Changed>(
  write: (batch: readonly Changed[]) => Promise<void>,
  failed: (err: unknown) => void,
): (changed: Changed) => void {
  const waiting = new Set<Changed>()
  let isWriting = false
  async function run(): Promise<void> {
    isWriting = true
    while (waiting.size > 0) {
      const batch = [...waiting]
      waiting.clear()
      await write(batch).catch(failed)
    }
    isWriting = false
  }
  return (changed) => {
    waiting.add(changed)
    if (!isWriting) void run()
  }
}

const isOffline = (text: string) => /^"?offline"?$/i.test(text.trim())

/** Brokers that stand on AMQP, as RabbitMQ does, take a dot for a slash. */
const isSameTopic = (a: string, b: string) =>
  a === b || (a.includes('.') && a.replaceAll('.', '/') === b.replaceAll('.', '/'))

const decoder = new TextDecoder()
function textOf(payload: Uint8Array): string {
  return payload.byteLength > DEVICE_LIMITS.infoBytes ? '' : decoder.decode(payload)
}
