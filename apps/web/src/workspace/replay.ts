import { useSyncExternalStore } from 'react'

export const SPEEDS = [0.5, 1, 2, 5, 10, 30, 60] as const
export type Speed = (typeof SPEEDS)[number]

export interface ReplaySnapshot {
  /** The moment that the panels of devices show. `undefined`: the present. */
  readonly at: number | undefined
  readonly isPlaying: boolean
  readonly speed: Speed
  /** What belongs to the moment is on its way. */
  readonly isLoading: boolean
  /** What belongs to the moment could not be loaded, and is asked for again. */
  readonly hasFailed: boolean
}

/** Which moment the panels of devices of this page show: the present, or one that is past. */
export interface Replay {
  readonly getSnapshot: () => ReplaySnapshot
  readonly subscribe: (listener: () => void) => () => void
  /** Shows a moment of the past. One that is yet to come is the present, which stands still then. */
  readonly seek: (at: number) => void
  play(): void
  readonly pause: () => void
  setSpeed(speed: Speed): void
  goLive(): void
  /** Whoever loads what is shown. Time waits for it. */
  setSource(source: ReplaySource): void
  /** What the source says of itself. */
  tell(state: Pick<ReplaySnapshot, 'isLoading' | 'hasFailed'>): void
}

export interface ReplaySource {
  /** Whether what belongs to the moment is there. */
  isReady(at: number): boolean
}

/** A replay begins with what has just happened. */
export const LOOK_BACK_MS = 60_000
/** As often as panels ask for values while they are live. */
const TICK_MS = 100
/** Before it nothing was kept: an address that names such a time is a slip. */
const FIRST = Date.UTC(2000)

const LIVE: ReplaySnapshot = {
  at: undefined,
  isPlaying: false,
  speed: 1,
  isLoading: false,
  hasFailed: false,
}

export function createReplay(now: () => number): Replay {
  const listeners = new Set<() => void>()
  let snapshot = LIVE
  let source: ReplaySource | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let before = 0

  function change(next: Partial<ReplaySnapshot>): void {
    snapshot = { ...snapshot, ...next }
    if (snapshot.isPlaying && timer === undefined) {
      before = now()
      timer = setInterval(tick, TICK_MS)
    } else if (!snapshot.isPlaying) {
      clearInterval(timer)
      timer = undefined
    }
    for (const listener of listeners) listener()
  }

  function tick(): void {
    const elapsed = now() - before
    before = now()
    const { at, speed } = snapshot
    // A page that nobody sees would run through what they wanted to look at.
    if (at === undefined || document.visibilityState === 'hidden') return
    const next = at + Math.max(0, elapsed) * speed
    if (source !== undefined && !source.isReady(next)) return
    if (next >= now()) change({ at: now(), isPlaying: false })
    else change({ at: next })
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    seek: (at) => change({ at: Math.min(now(), Math.max(FIRST, Math.round(at))) }),
    play() {
      if (snapshot.at !== undefined) change({ isPlaying: true })
    },
    pause: () => change({ isPlaying: false }),
    setSpeed: (speed) => change({ speed }),
    goLive: () => change({ ...LIVE, speed: snapshot.speed }),
    setSource(next) {
      source = next
    },
    tell({ isLoading, hasFailed }) {
      if (snapshot.isLoading !== isLoading || snapshot.hasFailed !== hasFailed)
        change({ isLoading, hasFailed })
    },
  }
}

/** Whether the moment is past; the same for all moments of the past. */
export const isPast = ({ getSnapshot }: Replay): boolean => getSnapshot().at !== undefined

export const useIsPast = (replay: Replay): boolean =>
  useSyncExternalStore(replay.subscribe, () => isPast(replay))

const PARAMETER = 'at'

/** The moment that the address of a page names. */
export function momentIn(search: string): number | undefined {
  const text = new URLSearchParams(search).get(PARAMETER) ?? ''
  // `Date.parse` takes much that is no time of ours, such as “May”.
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** The address of a page, at a moment or live. */
export function addressAt(href: string, at: number | undefined): string {
  const url = new URL(href)
  if (at === undefined) url.searchParams.delete(PARAMETER)
  else url.searchParams.set(PARAMETER, new Date(at).toISOString())
  return url.href.replaceAll('%3A', ':')
}
