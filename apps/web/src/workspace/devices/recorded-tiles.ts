import { Problem } from '@patchbay/contracts/core'
import type { DeviceValue, HistoryPoint } from '@patchbay/contracts/devices'
import type { PanelHost } from '../panel-definition.ts'
import { type ChannelAddress, splitAddress } from './addresses.ts'
import { fetchNumbers, fetchRecorded } from './recorded.api.ts'

export interface TimedValue {
  readonly value: DeviceValue
  readonly at: number
}

interface LevelOf {
  /** Time is cut into tiles of this length, so that each is asked for once. */
  readonly tileMs: number
  /** Whether recorded values belong to it: every one, or the last of so many milliseconds. */
  readonly values?: { readonly stepMs?: number }
  /** How many numbers there are of a tile, of what is kept without a recording. */
  readonly points?: number
}

export const LEVELS = {
  fine: { tileMs: 30_000, values: {}, points: 30 },
  coarse: { tileMs: 5 * 60_000, values: { stepMs: 1_000 }, points: 300 },
  hours: { tileMs: 60 * 60_000, points: 360 },
  days: { tileMs: 24 * 60 * 60_000, points: 288 },
  /** One line after the other, of what is read rather than drawn. */
  lines: { tileMs: 10 * 60_000, values: {} },
} as const satisfies Record<string, LevelOf>
export type Level = keyof typeof LEVELS

/** A channel over one tile of time. */
export interface Tile {
  readonly from: number
  readonly to: number
  /** What was recorded, with the last value before. */
  readonly values: readonly TimedValue[]
  /** Numbers by member; that of a bare number is ''. The first ones are from before the tile. */
  readonly members: ReadonlyMap<string, readonly HistoryPoint[]>
  readonly stepMs: number
  readonly askedAt: number
}

export interface Need {
  readonly address: ChannelAddress
  readonly level: Level
  readonly index: number
}

export interface Tiles {
  /** What is needed from now on, the most urgent first. What is under way and no longer needed ends. */
  want(needs: readonly Need[]): void
  get(need: Need): Tile | undefined
}

interface TilesDeps {
  readonly host: Pick<PanelHost, 'workspace'>
  readonly now: () => number
  readonly onChange: () => void
  readonly tell: (state: { readonly isLoading: boolean; readonly hasFailed: boolean }) => void
}

/** As long as a server looks back for what a channel was before. */
const BEFORE_MS = 60_000
/** A server serves eight such reads at once, to all of its pages. */
const AT_ONCE = 2
/** Their names fit into one address. */
const CHANNELS_AT_ONCE = 20
/** Dragging through an hour asks for what is under the pointer in the end. */
const PAUSE_MS = 80
const RETRY_MS = 2_000
/** What devices have just said is stored by then. */
const SETTLED_MS = 5_000
const MOST_VALUES = 300_000
const MOST_TILES = 5_000

interface Group {
  readonly device: string
  readonly channels: readonly string[]
  readonly level: Level
  readonly index: number
}

const keyOf = ({ address, level, index }: Need) => `${level} ${index} ${address}`
const sizeOf = ({ values, members }: Tile) =>
  values.length + [...members.values()].reduce((sum, points) => sum + points.length, 0)

/** What devices have sent, in memory that is bounded: tiles of time, loaded when they are needed. */
export function createTiles({ host, now, onChange, tell }: TilesDeps): Tiles {
  const tiles = new Map<string, Tile>()
  const running = new Map<AbortController, readonly string[]>()
  let needs: readonly Need[] = []
  let needed = new Set<string>()
  let size = 0
  let failedAt: number | undefined
  let timer: number | undefined

  /** The end of time is written while it is read. */
  const isSettled = ({ to, askedAt }: Tile) => askedAt > to + SETTLED_MS
  const isDue = (key: string) => {
    const tile = tiles.get(key)
    return tile === undefined || (!isSettled(tile) && now() - tile.askedAt > RETRY_MS)
  }

  function pumpSoon(afterMs: number): void {
    clearTimeout(timer)
    timer = window.setTimeout(pump, afterMs)
  }

  function pump(): void {
    const underWay = new Set([...running.values()].flat())
    const isFailing = failedAt !== undefined && now() - failedAt < RETRY_MS
    const mayAsk = () => !isFailing && running.size < AT_ONCE && size < MOST_VALUES
    for (let next = nextGroup(underWay); next !== undefined && mayAsk(); next = nextGroup(underWay)) {
      const keys = next.channels.map((channel) => keyOf({ ...next, address: `${next.device}/${channel}` }))
      for (const key of keys) underWay.add(key)
      void run(next, keys)
    }
    tell({
      isLoading: [...needed].some((key) => !tiles.has(key)),
      hasFailed: failedAt !== undefined,
    })
    if (needs.length > 0 && running.size === 0) pumpSoon(RETRY_MS)
  }

  function nextGroup(underWay: ReadonlySet<string>): Group | undefined {
    const isOpen = (need: Need) => !underWay.has(keyOf(need)) && isDue(keyOf(need))
    const first = needs.find(isOpen)
    if (first === undefined) return undefined
    const { level, index } = first
    const { device } = splitAddress(first.address)
    const same = needs.filter(
      (need) => need.level === level && need.index === index && need.address.startsWith(`${device}/`),
    )
    const channels = same.filter(isOpen).map(({ address }) => splitAddress(address).channel)
    return { device, level, index, channels: [...new Set(channels)].slice(0, CHANNELS_AT_ONCE) }
  }

  async function run(group: Group, keys: readonly string[]): Promise<void> {
    const ending = new AbortController()
    running.set(ending, keys)
    try {
      const loaded = await load(group, ending.signal)
      failedAt = undefined
      for (const [index, key] of keys.entries()) put(key, loaded[index])
      evict()
      onChange()
    } catch {
      if (!ending.signal.aborted) failedAt = now()
    } finally {
      running.delete(ending)
      pump()
    }
  }

  async function load({ device, channels, level, index }: Group, signal: AbortSignal): Promise<Tile[]> {
    const { tileMs, ...about }: LevelOf = LEVELS[level]
    const from = index * tileMs
    const to = from + tileMs
    const askedAt = now()
    const before = about.values === undefined ? 0 : BEFORE_MS
    const empty = { stepMs: 0, series: [] }
    const [values, numbers] = await Promise.all([
      about.values === undefined
        ? []
        : fetchRecorded(host, { device, channels, from, to }, about.values.stepMs, signal),
      about.points === undefined
        ? empty
        : fetchNumbers(
            host,
            { device, channels, from: from - before, to },
            // As many for the time before as for the tile itself.
            Math.ceil((about.points * (tileMs + before)) / tileMs),
            signal,
          ),
    ]).catch((error: unknown) => {
      // A device that is gone has left nothing.
      if (error instanceof Problem && error.code === 'device_not_found') return [[], empty] as const
      throw error
    })
    return channels.map((channel) => ({
      from,
      to,
      askedAt,
      stepMs: numbers.stepMs,
      values: values.flatMap(({ channel: name, value, at }) => (name === channel ? [{ value, at }] : [])),
      members: new Map(
        numbers.series
          .filter((series) => series.channel === channel)
          .map(({ member, points }) => [member ?? '', points]),
      ),
    }))
  }

  function put(key: string, tile: Tile | undefined): void {
    remove(key)
    if (tile === undefined) return
    tiles.set(key, tile)
    size += sizeOf(tile)
  }

  function remove(key: string): void {
    const known = tiles.get(key)
    if (known === undefined) return
    tiles.delete(key)
    size -= sizeOf(known)
  }

  function evict(): void {
    for (const key of tiles.keys()) {
      if (size < MOST_VALUES && tiles.size < MOST_TILES) return
      if (!needed.has(key)) remove(key)
    }
  }

  return {
    want(next) {
      needs = next
      needed = new Set(next.map(keyOf))
      for (const [ending, keys] of running) if (!keys.some((key) => needed.has(key))) ending.abort()
      // What is needed is used last, and goes last.
      for (const key of needed) {
        const tile = tiles.get(key)
        if (tile === undefined) continue
        tiles.delete(key)
        tiles.set(key, tile)
      }
      evict()
      if (next.length === 0) failedAt = undefined
      pumpSoon(PAUSE_MS)
    },
    get: (need) => tiles.get(keyOf(need)),
  }
}
