import {
  DEVICES_CHANNEL,
  type Device,
  type DeviceChannel,
  type DeviceScalar,
  type DevicesNews,
  type DevicesRequest,
  type DeviceValue,
  type EmergencyStop,
} from '@patchbay/contracts/devices'
import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import { describeFailure } from '../../errors/failure.ts'
import { NO_READING, type Reading, type ReadingState } from '../instruments/reading.ts'
import { SeriesBuffer } from '../instruments/series-buffer.ts'
import type { PanelHost } from '../panel-definition.ts'
import { type ChannelAddress, findChannel, memberOf, splitAddress } from './addresses.ts'
import { boardFailure, boardFault, boardsOf, deviceOfBoard } from './boards.ts'
import {
  armDevice,
  disarmDevice,
  fetchDevices,
  releaseDevices,
  sendCommand,
  stopDevices,
} from './devices.api.ts'
import type { TimedValue } from './recorded-tiles.ts'
import { words } from './words.ts'

export interface DevicesSnapshot {
  readonly state: 'loading' | 'loaded' | 'failed'
  /** Boards on this computer come last. */
  readonly devices: readonly Device[]
  /** Names of those that are boards on this computer: they are told by this page, and not by the server. */
  readonly boards: ReadonlySet<string>
  /** These were stopped in this page, and the server has not said so. */
  readonly areBoardsHeld: boolean
  readonly stop: EmergencyStop | null
  /** `away`: this page hears nothing. `down`: the server does not hear of devices. */
  readonly link: 'up' | 'down' | 'away'
  /** What is shown is what was, and nothing can be told to a device; the list of devices is that of the present. */
  readonly isPast: boolean
}

/** What became of what was sent to a channel. */
export interface Sending {
  readonly isPending: boolean
  readonly failed?: string
}

export interface DeviceStore {
  getSnapshot(): DevicesSnapshot
  subscribe(listener: () => void): () => void
  /** Has values come until the returned function is called. None: the list of devices alone. */
  watch(channels: readonly { readonly address: ChannelAddress; readonly rate: number }[]): () => void
  reading(address: ChannelAddress): Reading
  sending(address: ChannelAddress): Sending
  /** Tells of another reading of the channel, and of what becomes of what is sent to it. */
  follow(address: ChannelAddress, listener: () => void): () => void
  /** The numbers of a channel over time, or of one member of its objects or lists; kept from the first call on. */
  series(address: ChannelAddress, member?: string): SeriesBuffer
  /** The same for a plot, which says which time it shows. */
  stretch(): Stretch
  /** The values of a channel one after the other, the latest last; kept from the first call on. */
  lines(address: ChannelAddress): readonly TimedValue[]
  /** The moment that is shown, where that is not the present; it moves with the readings. */
  readonly moment: () => number | undefined
  readonly followMoment: (listener: () => void) => () => void
  /** Sends a command, or the latest of several after the one that is on its way. What becomes of it, `sending` says. */
  send(address: ChannelAddress, value: DeviceValue): void
  arm(device: string, arming: { readonly seconds: number; readonly isForAgents: boolean }): Promise<void>
  disarm(device: string): Promise<void>
  stop(reason?: string): Promise<void>
  release(): Promise<void>
  reload(): void
}

/** What one plot shows of the time. */
export interface Stretch {
  show(from: number, to: number): void
  series(address: ChannelAddress, member?: string): SeriesBuffer
  end(): void
}

interface Held {
  readonly value: DeviceValue
  readonly at: number
  /** When it was new, by the clock of this page. */
  readonly freshAt: number
}

interface Control {
  sending: Sending
  waiting: { readonly value: DeviceValue } | undefined
}

/** Ten minutes at ten values a second. */
const SERIES_CAPACITY = 6_000
export const MOST_LINES = 2_000
const NO_LINES: readonly TimedValue[] = []
const MOST_SERIES = 256
const LOOK_MS = 250
/** A device that comes and goes must not have the list read each time. */
const RELOAD_PAUSE_MS = 150
/** After an arming should have ended by the clock of this page, which may be wrong. */
const ARMING_PAUSE_MS = 2_000
export const IDLE: Sending = { isPending: false }

const stores = new WeakMap<PanelHost, DeviceStore>()

/** The one of a page, made with its first panel of devices. */
export function deviceStoreOf(host: PanelHost): DeviceStore {
  const known = stores.get(host)
  if (known !== undefined) return known
  const made = createDeviceStore(host)
  stores.set(host, made)
  return made
}

function createDeviceStore(host: PanelHost): DeviceStore {
  const boards = boardsOf(host)
  let listed: readonly Device[] = []
  let snapshot: DevicesSnapshot = {
    state: 'loading',
    ...withBoards(),
    stop: null,
    link: 'up',
    isPast: false,
  }
  /** Only what comes over the connection shows that a stop would. */
  let hearsOfStop = false
  let isLinkUp = true
  let isAway = false
  const listeners = new Set<() => void>()
  const watches = new Set<readonly { readonly address: ChannelAddress; readonly rate: number }[]>()
  const held = new Map<ChannelAddress, Held>()
  const readings = new Map<ChannelAddress, Reading>()
  const controls = new Map<ChannelAddress, Control>()
  const followers = new Map<ChannelAddress, Set<() => void>>()
  const seriesOf = new Map<ChannelAddress, Map<string, SeriesBuffer>>()
  const linesOf = new Map<ChannelAddress, readonly TimedValue[]>()
  /** Watched anew: what comes first of them may be old. */
  const awaited = new Set<ChannelAddress>()
  let watched: ReadonlyMap<ChannelAddress, number> = new Map()
  let said = ''
  let saying: number | undefined
  let looking: number | undefined
  let reloading: number | undefined
  let isLoading = false
  let isStale = false
  /** Moves with each word about the stop: a list that was read before must not take it back. */
  let stops = 0

  function change(next: Partial<DevicesSnapshot>): void {
    snapshot = { ...snapshot, ...next }
    boards.hear({ hearsOfStop, isStopped: snapshot.stop !== null })
    for (const listener of listeners) listener()
    look()
  }

  function withBoards(): Pick<DevicesSnapshot, 'devices' | 'boards' | 'areBoardsHeld'> {
    const taken = new Set(listed.map(({ name }) => name))
    const { boards: all, isHeld } = boards.getSnapshot()
    const own = all.filter(({ name }) => !taken.has(name))
    return {
      areBoardsHeld: isHeld,
      devices: [...listed, ...own.map((board) => deviceOfBoard(board, host.workspace))],
      boards: new Set(own.map(({ name }) => name)),
    }
  }

  function setStop(stop: EmergencyStop | null): void {
    stops += 1
    change({ stop })
  }

  function changeLink(): void {
    const link = isAway ? 'away' : isLinkUp ? 'up' : 'down'
    if (link !== snapshot.link) change({ link })
  }

  async function load(): Promise<void> {
    if (isLoading) {
      isStale = true
      return
    }
    isLoading = true
    isStale = false
    const before = stops
    try {
      const { devices, stop } = await fetchDevices(host.workspace)
      listed = devices
      change({ state: 'loaded', ...withBoards(), ...(stops === before && { stop }) })
    } catch {
      // Devices that were known stay: the next news, or the person, tries again.
      if (snapshot.state === 'loading') change({ state: 'failed' })
    } finally {
      isLoading = false
      if (isStale) loadSoon(RELOAD_PAUSE_MS)
    }
  }

  function loadSoon(afterMs: number): void {
    reloading ??= window.setTimeout(() => {
      reloading = undefined
      void load()
    }, afterMs)
  }

  function stateOf(address: ChannelAddress, known: Held | undefined): ReadingState {
    const { device, channel } = findChannel(snapshot.devices, address)
    if (device?.status === 'offline' || (device === undefined && snapshot.state === 'loaded'))
      return 'offline'
    if (known === undefined) return 'none'
    const isHeard = snapshot.link === 'up' || snapshot.boards.has(splitAddress(address).device)
    if (!isHeard || !watched.has(address)) return 'stale'
    const lifetime = channel?.staleAfterMs ?? DEVICE_LIMITS.staleAfterMs
    return Date.now() - known.freshAt > lifetime ? 'stale' : 'live'
  }

  function readAgain(address: ChannelAddress): boolean {
    const known = held.get(address)
    const before = readings.get(address) ?? NO_READING
    const state = stateOf(address, known)
    const value = known?.value ?? null
    const at = known?.at ?? 0
    if (before.state === state && before.at === at && Object.is(before.value, value)) return false
    readings.set(address, { value, at, state })
    return true
  }

  function tell(address: ChannelAddress): void {
    for (const follower of followers.get(address) ?? []) follower()
  }

  /** What was live may be stale by now, or its device gone. */
  function look(): void {
    for (const address of new Set([...watched.keys(), ...followers.keys()]))
      if (readAgain(address)) tell(address)
    const ends = listed.flatMap(({ arming }) => (arming === null ? [] : [Date.parse(arming.until)]))
    if (ends.some((end) => end < Date.now())) loadSoon(ARMING_PAUSE_MS)
  }

  function take({
    device,
    channel,
    value,
    at,
  }: Extract<DevicesNews, { type: 'values' }>['values'][number]): void {
    const address: ChannelAddress = `${device}/${channel}`
    const before = held.get(address)
    const now = Date.now()
    const isFirst = awaited.delete(address)
    const freshAt = isFirst ? Math.min(now, at) : before?.at === at ? before.freshAt : now
    const isSame = before?.at === at && JSON.stringify(before.value) === JSON.stringify(value)
    held.set(address, { value: isSame ? before.value : value, at, freshAt })
    if (!isSame) {
      for (const [member, buffer] of seriesOf.get(address) ?? []) appendTo(buffer, at, value, member)
      const lines = linesOf.get(address)
      if (lines !== undefined) linesOf.set(address, [...lines.slice(1 - MOST_LINES), { value, at }])
    }
    if (readAgain(address)) tell(address)
  }

  host.hear(DEVICES_CHANNEL, (message) => {
    const news = message as DevicesNews
    if (news.type === 'values') for (const value of news.values) take(value)
    else if (news.type === 'changed') loadSoon(RELOAD_PAUSE_MS)
    else if (news.type === 'stop') {
      hearsOfStop = !isAway
      setStop(news.stop)
    } else {
      isLinkUp = news.isUp
      changeLink()
    }
  })
  host.follow((news) => {
    if (news === 'files' || news === 'recordings') return
    isAway = news === 'away'
    if (isAway) {
      hearsOfStop = false
      boards.hear({ hearsOfStop, isStopped: snapshot.stop !== null })
    } else {
      said = ''
      saySoon()
      loadSoon(0)
    }
    changeLink()
  })
  document.addEventListener('visibilitychange', saySoon)
  boards.followValues((device, values) => {
    if (snapshot.boards.has(device)) for (const value of values) take({ device, ...value })
  })
  boards.subscribe(() => {
    change(withBoards())
    saySoon()
  })

  function saySoon(): void {
    // Panels come and go together: the server is told once.
    saying ??= window.setTimeout(() => {
      saying = undefined
      say()
    }, 0)
  }

  function say(): void {
    const merged = new Map<ChannelAddress, number>()
    const isHidden = document.visibilityState === 'hidden'
    for (const watch of isHidden ? [] : watches)
      for (const { address, rate } of watch) merged.set(address, Math.max(rate, merged.get(address) ?? 0))
    for (const address of merged.keys()) if (!watched.has(address)) awaited.add(address)
    watched = merged
    const channels = [...merged]
      .map(([address, rate]) => ({ ...splitAddress(address), rate: Math.min(rate, DEVICE_LIMITS.rate) }))
      .filter(({ device }) => !snapshot.boards.has(device))
      .slice(0, DEVICE_LIMITS.watchedChannels)
    const request: DevicesRequest = { type: 'watch', channels }
    const text = JSON.stringify(request)
    if (text !== said) host.say(DEVICES_CHANNEL, request)
    said = text
    look()
    if (merged.size > 0) looking ??= window.setInterval(look, LOOK_MS)
    else {
      clearInterval(looking)
      looking = undefined
    }
  }

  function controlOf(address: ChannelAddress): Control {
    const control = controls.get(address) ?? { sending: IDLE, waiting: undefined }
    controls.set(address, control)
    return control
  }

  async function carryOut(address: ChannelAddress, value: DeviceValue): Promise<string | undefined> {
    const { device, channel } = splitAddress(address)
    if (snapshot.boards.has(device)) return boardFault(await boards.send(device, channel, value))
    try {
      const { status, message } = await sendCommand(host, device, { channel, value })
      if (status === 'timeout') return words.timeout
      if (status === 'refused') return words.refused(message)
      return status === 'failed' ? words.failed(message) : undefined
    } catch (error) {
      const { title, detail } = describeFailure(error)
      return `${title}. ${detail}`
    }
  }

  function send(address: ChannelAddress, value: DeviceValue): void {
    const control = controlOf(address)
    if (control.sending.isPending) {
      control.waiting = { value: joined(control.waiting?.value, value) }
      return
    }
    control.sending = { isPending: true }
    tell(address)
    void carryOut(address, value).then((failed) => {
      const { waiting } = control
      control.waiting = undefined
      control.sending = failed === undefined ? IDLE : { isPending: false, failed }
      if (waiting === undefined) tell(address)
      else send(address, waiting.value)
    })
  }

  function series(address: ChannelAddress, member = ''): SeriesBuffer {
    const ofChannel = seriesOf.get(address) ?? new Map<string, SeriesBuffer>()
    const known = ofChannel.get(member)
    if (known !== undefined) return known
    forgetOldest(seriesOf, followers)
    seriesOf.set(address, ofChannel)
    const made = new SeriesBuffer(SERIES_CAPACITY)
    ofChannel.set(member, made)
    const latest = held.get(address)
    if (latest !== undefined) appendTo(made, latest.at, latest.value, member)
    return made
  }

  // A page that watches nothing hears of devices that come and go, and of a stop.
  saySoon()
  void load()
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch(channels) {
      watches.add(channels)
      saySoon()
      return () => {
        watches.delete(channels)
        saySoon()
      }
    },
    reading: (address) => readings.get(address) ?? NO_READING,
    sending: (address) => controls.get(address)?.sending ?? IDLE,
    follow(address, listener) {
      const ofChannel = followers.get(address) ?? new Set()
      followers.set(address, ofChannel)
      ofChannel.add(listener)
      if (readAgain(address)) listener()
      return () => {
        ofChannel.delete(listener)
        if (ofChannel.size === 0) followers.delete(address)
      }
    },
    series,
    // All that came is there, whatever a plot shows of it.
    stretch: () => ({ show: () => undefined, series, end: () => undefined }),
    lines(address) {
      const latest = held.get(address)
      const known = linesOf.get(address) ?? (latest === undefined ? NO_LINES : [latest])
      linesOf.set(address, known)
      return known
    },
    moment: () => undefined,
    followMoment: () => () => undefined,
    send,
    async arm(device, arming) {
      if (snapshot.boards.has(device)) {
        const refusal = boards.arm(device, arming.seconds)
        if (refusal !== undefined) throw boardFailure(refusal)
        return
      }
      await armDevice(host, device, arming)
      await load()
    },
    async disarm(device) {
      if (snapshot.boards.has(device)) return boards.disarm(device)
      await disarmDevice(host, device)
      await load()
    },
    async stop(reason) {
      // Not after the server has answered, which may take long or never come.
      boards.stop()
      setStop(await stopDevices(host, reason))
    },
    async release() {
      await releaseDevices(host)
      setStop(null)
      await load()
    },
    reload: () => void load(),
  }
}

/** Nobody looks at it: what a plot of it would show begins anew. */
function forgetOldest(
  seriesOf: Map<ChannelAddress, Map<string, SeriesBuffer>>,
  followers: ReadonlyMap<ChannelAddress, unknown>,
): void {
  if (seriesOf.size < MOST_SERIES) return
  const unused = [...seriesOf.keys()].find((address) => !followers.has(address))
  if (unused !== undefined) seriesOf.delete(unused)
}

function appendTo(buffer: SeriesBuffer, at: number, value: DeviceValue, member: string): void {
  const number = member === '' ? value : memberOf(value, member)
  if (typeof number === 'number') buffer.append(at, number)
}

/** Members that were asked for one after the other go together: the later would otherwise swallow the earlier. */
function joined(before: DeviceValue | undefined, value: DeviceValue): DeviceValue {
  return isMembers(before) && isMembers(value) ? { ...before, ...value } : value
}

function isMembers(value: DeviceValue | undefined): value is Readonly<Record<string, DeviceScalar>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a channel cannot be told anything now. `undefined`: it can. */
export function disabledReason(
  { devices, boards, areBoardsHeld, stop, link, state, isPast }: DevicesSnapshot,
  address: ChannelAddress,
  mayChange: boolean,
): string | undefined {
  const { device, channel } = findChannel(devices, address)
  if (!mayChange) return words.mayOnlyLook
  if (isPast) return words.past
  if (link === 'away') return words.away
  if (device === undefined) return state === 'loaded' ? words.gone : words.away
  const isBoard = boards.has(device.name)
  if (stop !== null || (isBoard && areBoardsHeld)) return words.stopped
  if (device.status !== 'online') return words.offline
  if (link === 'down' && !isBoard) return words.linkDown
  if (channel?.takesCommands !== true) return words.noCommands
  return isArmedFor(device, channel) ? undefined : words.notArmed
}

const isArmedFor = ({ arming }: Device, { isGuarded }: DeviceChannel) => !isGuarded || arming !== null
