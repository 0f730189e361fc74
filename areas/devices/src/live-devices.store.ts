import type { DeviceValue } from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import {
  type Acknowledgement,
  type ChannelBinding,
  type DeviceInfo,
  type DeviceTopic,
  guessChannel,
  readAcknowledgement,
  readDiscovery,
  readInfo,
  readPayload,
  readTopic,
  STATUS,
  valueOf,
} from '@patchbay/device-kit'
import type { DeviceIdentity } from './broker.ts'
import type { DevicesDeps } from './deps.ts'
import {
  type DeviceRecord,
  findRecord,
  forgetConnections,
  type SelfDescription,
  storeDescription,
  storeSeen,
  storeValues,
} from './device.store.ts'

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
  /** Hears every value of one device from now on. */
  listen(device: number, listener: ValueListener): Disposable
  /** What is known of a device that has said something since this node began. */
  latest(device: number, channel: string): HeardValue | undefined
  /** The same of all its channels. */
  latestOf(device: number): HeardValue[]
  /** What became of commands. */
  onAcknowledgement(listener: (device: number, ack: Acknowledgement) => void): void
  /** A value that came over HTTP. Throws when it is more than a device may have. */
  hear(device: DeviceRecord, values: Readonly<Record<string, DeviceValue>>): boolean
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
  /** One write of its description at a time, or an older one could come last. */
  describing: Promise<void>
}

const FLUSH_MS = 1_000
/** A clock that is further ahead than this is wrong. */
const AHEAD_MS = 60_000

/** Hears what devices say, keeps the latest of it, and tells whoever listens. */
export function createLiveDevices(deps: DevicesDeps, announce: (device: number) => void): LiveDevices {
  const { db, broker, clock, log } = deps
  const devices = new Map<string, Live>()
  const byId = new Map<number, Live>()
  /** Those whose row is being read, with what they have said meanwhile. */
  const loading = new Map<string, (() => void)[]>()
  const listeners = new Map<number, Set<ValueListener>>()
  let acknowledged: ((device: number, ack: Acknowledgement) => void) | undefined
  let flushing: NodeJS.Timeout | undefined
  let isFlushing = false

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
      describing: Promise.resolve(),
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
    see(device)
    if (kind === 'value') return takeValue(device, suffix, payload)
    if (kind === 'status') return takeStatus(device, textOf(payload))
    if (kind === 'info') return describe(device, readInfo(textOf(payload)), true)
    if (kind === 'discovery')
      return describe(device, readDiscovery(device.topic, suffix, textOf(payload)), false)
    const ack = kind === 'ack' || kind === 'stop_ack' ? readAcknowledgement(textOf(payload)) : undefined
    if (ack !== undefined) acknowledged?.(device.id, ack)
  }

  function see(device: Live): void {
    device.seenAt = clock.now().getTime()
    device.isSeenUnstored = true
    if (!device.isConnected) setConnected(device, true)
  }

  function setConnected(device: Live, isConnected: boolean): void {
    if (device.isConnected === isConnected) return
    device.isConnected = isConnected
    device.isSeenUnstored = true
    storeSeen(db, [seenOf(device)]).then(
      () => announce(device.id),
      (err: unknown) => log.debug({ err }, 'failed to store the status of a device, retrying'),
    )
  }

  const seenOf = ({ id, seenAt, isConnected }: Live) => ({
    id,
    at: seenAt === undefined ? clock.now() : new Date(seenAt),
    isConnected,
  })

  function takeStatus(device: Live, text: string): void {
    if (/^"?offline"?$/i.test(text.trim())) setConnected(device, false)
  }

  function takeValue(device: Live, suffix: string, payload: Uint8Array): void {
    const read = readPayload(payload)
    if (read === undefined) return
    const now = clock.now().getTime()
    const at = read.at === undefined || read.at > now + AHEAD_MS ? now : read.at
    let isKnown = false
    for (const channel of device.channels.values()) {
      if (channel.stateTopic !== suffix) continue
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
    storeChannels(device, { title: null, manufacturer: null, model: null, version: null })
    return true
  }

  function note(device: Live, heard: HeardValue): void {
    device.latest.set(heard.channel, heard)
    device.unstored.add(heard.channel)
    for (const listener of listeners.get(device.id) ?? []) listener(heard)
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
    device.describing = device.describing
      .then(() => storeDescription(db, device.id, { ...info, channels: [...device.channels.values()] }))
      .then(() => announce(device.id))
      .catch((err: unknown) =>
        log.warn({ err, device: device.id }, 'failed to store what a device says of itself'),
      )
  }

  /** What a second has brought, in two statements. */
  async function flush(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    try {
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
        await storeSeen(db, seen.map(seenOf))
        await storeValues(
          db,
          values.map(({ device, channel, value, at }) => ({
            device,
            channel,
            value: JSON.stringify(value),
            at: new Date(at),
          })),
        )
      } catch (err) {
        for (const { device, channel } of values) byId.get(device)?.unstored.add(channel)
        log.debug({ err }, 'failed to store values, retrying')
      }
    } finally {
      isFlushing = false
    }
  }

  broker.onMessage(receive)
  return {
    listen(device, listener) {
      const known = listeners.get(device) ?? new Set()
      listeners.set(device, known.add(listener))
      return {
        [Symbol.dispose]() {
          known.delete(listener)
          if (known.size === 0) listeners.delete(device)
        },
      }
    },
    latest: (device, channel) => byId.get(device)?.latest.get(channel),
    latestOf: (device) => [...(byId.get(device)?.latest.values() ?? [])],
    onAcknowledgement(listener) {
      acknowledged = listener
    },
    hear(record, values) {
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
      // As if it had said so: one that is not known yet is read first.
      receive(`${identity.topic}/${STATUS}`, Buffer.from('online'))
    },
    disconnected({ topic }) {
      const device = devices.get(topic)
      if (device !== undefined) setConnected(device, false)
    },
    forget({ id, topic }) {
      devices.delete(topic)
      byId.delete(id)
    },
    async start() {
      await forgetConnections(db, clock.now()).catch((err: unknown) =>
        log.warn({ err }, 'failed to reset the status of devices'),
      )
      flushing ??= setInterval(() => void flush(), FLUSH_MS).unref()
    },
    async stop() {
      clearInterval(flushing)
      for (const device of devices.values()) device.isConnected = false
      await flush()
    },
  }
}

const decoder = new TextDecoder()
function textOf(payload: Uint8Array): string {
  return payload.byteLength > DEVICE_LIMITS.infoBytes ? '' : decoder.decode(payload)
}
