import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { Reading } from '../instruments/reading.ts'
import { SeriesBuffer } from '../instruments/series-buffer.ts'
import type { PanelHost } from '../panel-definition.ts'
import { type ChannelAddress, findChannel, splitAddress } from './addresses.ts'
import {
  type DeviceStore,
  type DevicesSnapshot,
  deviceStoreOf,
  IDLE,
  MOST_LINES,
  type Stretch,
} from './device-store.ts'
import { createTiles, LEVELS, type Level, type Need, type Tile, type TimedValue } from './recorded-tiles.ts'
import { pointsIn, valueAt } from './tile-values.ts'
import { words } from './words.ts'

const LOADING: Reading = { value: null, at: 0, state: 'loading' }
const ABSENT: Reading = { value: null, at: 0, state: 'absent' }
const NO_LINES: readonly TimedValue[] = []
const SERIES_CAPACITY = 8_000
/** Up to this speed every recorded value is shown. */
const FINE_SPEED = 5
/** What a map or the like looks back, where no plot says what it shows. */
const TRAIL_MS = 60_000

/** The coarser the longer: a plot has a few hundred points of each tile, and at most nine tiles. */
const SPANS: readonly { readonly level: Level; readonly mostMs: number }[] = [
  { level: 'fine', mostMs: 150_000 },
  { level: 'coarse', mostMs: 40 * 60_000 },
  { level: 'hours', mostMs: 8 * 60 * 60_000 },
  { level: 'days', mostMs: Infinity },
]

interface Line {
  readonly address: ChannelAddress
  readonly member: string
  readonly buffer: SeriesBuffer
  /** What it is made of. */
  tiles: readonly (Tile | undefined)[]
}

interface ShownStretch extends Stretch {
  /** The tiles of a channel that it is made of now. */
  needs(address: ChannelAddress): readonly Need[]
  readonly lines: Map<string, Line>
}

interface Lines {
  readonly tiles: readonly (Tile | undefined)[]
  readonly count: number
  readonly values: readonly TimedValue[]
}

const stores = new WeakMap<PanelHost, DeviceStore>()

/** The store of a page for its panels: that of the present, or, in its place, what devices have sent until a moment. */
export function shownStoreOf(host: PanelHost, isPast: boolean): DeviceStore {
  if (!isPast) return deviceStoreOf(host)
  const known = stores.get(host)
  if (known !== undefined) return known
  const made = createReplayStore(host, deviceStoreOf(host))
  stores.set(host, made)
  return made
}

function createReplayStore(host: PanelHost, live: DeviceStore): DeviceStore {
  const { replay } = host
  const watches = new Set<readonly { readonly address: ChannelAddress }[]>()
  const followers = new Map<ChannelAddress, Set<() => void>>()
  const momentFollowers = new Set<() => void>()
  const readings = new Map<ChannelAddress, Reading>()
  const stretches = new Set<ShownStretch>()
  const linesOf = new Map<ChannelAddress, Lines>()
  const tiles = createTiles({
    host,
    now: () => Date.now(),
    onChange: refresh,
    tell: (state) => replay.tell(state),
  })
  let moment = replay.getSnapshot().at
  let snapshotOf: { readonly live: DevicesSnapshot; readonly past: DevicesSnapshot } | undefined
  let wanted = ''

  const needAt = (address: ChannelAddress, level: Level, at: number): Need => ({
    address,
    level,
    index: Math.floor(at / LEVELS[level].tileMs),
  })
  const levelNow = (): Level => (replay.getSnapshot().speed > FINE_SPEED ? 'coarse' : 'fine')
  /** Of a board on this computer nothing was recorded. */
  const isBoard = (address: ChannelAddress) => live.getSnapshot().boards.has(splitAddress(address).device)
  const watched = () =>
    new Set(
      [...watches].flatMap((watch) => watch.flatMap(({ address }) => (isBoard(address) ? [] : [address]))),
    )

  /** What is needed at the moment, what is read, what plots show, and then what comes next. */
  function needs(): Need[] {
    if (moment === undefined || document.visibilityState === 'hidden') return []
    const at = moment
    const level = levelNow()
    const shown = [...watched()].slice(0, DEVICE_LIMITS.watchedChannels)
    const isWatched = new Set(shown)
    const read = [...linesOf.keys()].filter((address) => isWatched.has(address))
    const plotted = [...stretches].flatMap((stretch) =>
      [...new Set(Array.from(stretch.lines.values(), ({ address }) => address))]
        .filter((address) => isWatched.has(address))
        .flatMap((address) => stretch.needs(address)),
    )
    const next = at + LEVELS[level].tileMs
    return [
      ...shown.map((address) => needAt(address, level, at)),
      ...read.flatMap((address) => lineNeeds(address, at)),
      ...plotted,
      ...(replay.getSnapshot().isPlaying && next < Date.now()
        ? shown.map((address) => needAt(address, level, next))
        : []),
    ]
  }

  const lineNeeds = (address: ChannelAddress, at: number): readonly Need[] => [
    needAt(address, 'lines', at),
    needAt(address, 'lines', at - LEVELS.lines.tileMs),
  ]

  function want(): void {
    const all = needs()
    const text = all.map(({ address, level, index }) => `${address} ${level} ${index}`).join()
    if (text === wanted) return
    wanted = text
    tiles.want(all)
  }

  function readAt(address: ChannelAddress, at: number): Reading {
    if (isBoard(address)) return ABSENT
    const tile = tiles.get(needAt(address, levelNow(), at))
    if (tile === undefined) return LOADING
    const found = valueAt(tile, at)
    if (found === undefined) return ABSENT
    const { channel } = findChannel(live.getSnapshot().devices, address)
    const lifetime = channel?.staleAfterMs ?? DEVICE_LIMITS.staleAfterMs
    return { ...found, state: at - found.at > lifetime ? 'stale' : 'past' }
  }

  /** Answers whether it is another one than before. */
  function readAgain(address: ChannelAddress): boolean {
    const before = readings.get(address)
    const next = moment === undefined ? LOADING : readAt(address, moment)
    const isSame = before?.state === next.state && before.at === next.at
    if (isSame && JSON.stringify(before.value) === JSON.stringify(next.value)) return false
    readings.set(address, next)
    return true
  }

  function refresh(): void {
    for (const stretch of stretches) for (const line of stretch.lines.values()) fill(line, stretch)
    for (const [address, listeners] of followers) {
      const isOther = readAgain(address)
      const isRead = linesOf.has(address) && linesOf.get(address) !== readLines(address)
      if (isOther || isRead) for (const listener of listeners) listener()
    }
  }

  function fill(line: Line, stretch: ShownStretch): void {
    const next = stretch.needs(line.address).map((need) => tiles.get(need))
    const isSame =
      next.length === line.tiles.length && next.every((tile, index) => tile === line.tiles[index])
    if (isSame) return
    line.tiles = next
    line.buffer.replace(next.flatMap((tile) => (tile === undefined ? [] : pointsIn(tile, line.member))))
  }

  function readLines(address: ChannelAddress): Lines {
    const known = linesOf.get(address)
    const at = moment ?? 0
    const found = lineNeeds(address, at)
      .map((need) => tiles.get(need))
      .toReversed()
    const all = found.flatMap(
      (tile) => tile?.values.filter((value) => value.at >= tile.from && value.at <= at) ?? [],
    )
    const isSame = known?.count === all.length && found.every((tile, index) => tile === known.tiles[index])
    if (isSame) return known
    const lines = { tiles: found, count: all.length, values: all.slice(-MOST_LINES) }
    linesOf.set(address, lines)
    return lines
  }

  function makeStretch(rangeOf: () => readonly [from: number, to: number]): ShownStretch {
    const lines = new Map<string, Line>()
    let range: readonly [number, number] | undefined
    const stretch: ShownStretch = {
      lines,
      needs(address) {
        const [from, to] = range ?? rangeOf()
        const level = SPANS.find(({ mostMs }) => to - from <= mostMs)?.level ?? 'days'
        const { tileMs } = LEVELS[level]
        const first = Math.floor(from / tileMs)
        const last = Math.floor(Math.min(to, Date.now()) / tileMs)
        return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
          address,
          level,
          index: first + index,
        }))
      },
      show(from, to) {
        range = [from, to]
        stretches.add(stretch)
        for (const line of lines.values()) fill(line, stretch)
        want()
      },
      series(address, member = '') {
        const key = `${address} ${member}`
        const known = lines.get(key)
        if (known !== undefined) return known.buffer
        const line: Line = { address, member, buffer: new SeriesBuffer(SERIES_CAPACITY), tiles: [] }
        lines.set(key, line)
        fill(line, stretch)
        want()
        return line.buffer
      },
      end: () => void stretches.delete(stretch),
    }
    return stretch
  }

  const trail = makeStretch(() => [(moment ?? 0) - TRAIL_MS, moment ?? 0])
  stretches.add(trail)

  function follow(): void {
    const { at } = replay.getSnapshot()
    const isOther = at !== moment
    moment = at
    want()
    if (!isOther) return
    // The next visit must not begin with what was shown in this one.
    if (at === undefined) readings.clear()
    refresh()
    for (const listener of momentFollowers) listener()
  }

  replay.setSource({
    isReady: (at) =>
      [...watched()].every((address) => tiles.get(needAt(address, levelNow(), at)) !== undefined),
  })
  replay.subscribe(follow)
  document.addEventListener('visibilitychange', want)

  return {
    ...live,
    getSnapshot() {
      const present = live.getSnapshot()
      if (snapshotOf?.live !== present)
        snapshotOf = { live: present, past: { ...present, link: 'up', isPast: true } }
      return snapshotOf.past
    },
    watch(channels) {
      watches.add(channels)
      want()
      return () => {
        watches.delete(channels)
        want()
      }
    },
    reading: (address) => readings.get(address) ?? LOADING,
    sending: () => IDLE,
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
    series: (address, member) => trail.series(address, member),
    stretch: () => makeStretch(() => [(moment ?? 0) - TRAIL_MS, (moment ?? 0) + TRAIL_MS]),
    lines(address) {
      if (linesOf.has(address)) return readLines(address).values
      linesOf.set(address, { tiles: [], count: 0, values: NO_LINES })
      want()
      return NO_LINES
    },
    moment: () => moment,
    followMoment(listener) {
      momentFollowers.add(listener)
      return () => momentFollowers.delete(listener)
    },
    // Nothing is told to a device by somebody who does not see what it does.
    send: () => undefined,
    arm: () => Promise.reject(new Error(words.past)),
  }
}
