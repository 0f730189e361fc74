import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  type Attempt,
  checkAddress,
  keepPlaying,
  type Signal,
  type StreamKind,
  type StreamStats,
} from './stream.ts'

export interface Stream {
  readonly signal: Signal
  readonly stats: StreamStats
  /** What is played, once that is known. */
  readonly kind: StreamKind | undefined
  /** Tries now, instead of later or never. */
  readonly retry: () => void
}

const IDLE: Signal = { status: 'idle' }
const NO_STATS: StreamStats = {}

interface Wanted {
  readonly url: string | undefined
  /** What else decides how it is played: another one begins anew. */
  readonly way: string
  /** A stream that nobody sees is not received. */
  readonly isShown: boolean
  readonly play: (url: string, attempt: Attempt) => Promise<void>
}

/** Keeps an address playing for as long as the panel is shown, and tells how it goes. */
export function useStream({ url, way, isShown, play }: Wanted): Stream {
  const [told, setTold] = useState({
    signal: IDLE,
    stats: NO_STATS,
    kind: undefined as StreamKind | undefined,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(play)
  useEffect(() => {
    latest.current = play
  })
  const resume = useRef(() => {})
  useEffect(() => {
    if (url === undefined || !isShown) return undefined
    const ending = new AbortController()
    const tell = (news: Partial<typeof told>) => {
      if (!ending.signal.aborted) setTold((known) => ({ ...known, ...news }))
    }
    const wake = () => resume.current()
    // A network that has come back is there before the next try would be.
    addEventListener('online', wake)
    void keepPlaying(
      async (attempt) => {
        checkAddress(url)
        await latest.current(url, attempt)
      },
      {
        signal: ending.signal,
        now: () => performance.now(),
        random: Math.random,
        show: (signal) => tell(signal.status === 'connecting' ? { signal, stats: NO_STATS } : { signal }),
        showStats: (stats) => tell({ stats }),
        showKind: (kind) => tell({ kind }),
        onWait: (go) => {
          resume.current = go
        },
      },
    )
    return () => {
      ending.abort()
      removeEventListener('online', wake)
      resume.current = () => {}
      setTold({ signal: IDLE, stats: NO_STATS, kind: undefined })
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another way or round begins anew
  }, [url, way, isShown, round])
  return {
    ...told,
    retry: () => {
      if (told.signal.status === 'lost') resume.current()
      else setRound(round + 1)
    },
  }
}

/** Seconds until a moment, counted down; 0 once it is there. */
export function useSecondsUntil(at: number | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (at === undefined) return undefined
    const count = () => setLeft(Math.max(0, Math.ceil((at - performance.now()) / 1_000)))
    count()
    const timer = setInterval(count, 250)
    return () => clearInterval(timer)
  }, [at])
  return left
}

/** Whether this element is what fills the screen. */
export function useFullScreen(element: RefObject<HTMLElement | null>): [boolean, () => void] {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const look = () => setFull(element.current !== null && document.fullscreenElement === element.current)
    document.addEventListener('fullscreenchange', look)
    return () => document.removeEventListener('fullscreenchange', look)
  }, [element])
  return [
    isFull,
    () => {
      void (isFull ? document.exitFullscreen() : element.current?.requestFullscreen())?.catch(() => {})
    },
  ]
}
