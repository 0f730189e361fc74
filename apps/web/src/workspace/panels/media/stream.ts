import { isMixed } from '../parts/address.ts'

/** Why there is no picture. */
export type StreamReason =
  | 'no-address'
  | 'not-allowed'
  | 'mixed'
  | 'unreachable'
  | 'refused'
  | 'page'
  | 'still'
  | 'unplayable'
  | 'silent'
  | 'ended'
  | 'no-path'
  | 'bad-answer'
  | 'too-large'

/** What the same address will answer again however often it is asked. */
const FINAL: ReadonlySet<StreamReason> = new Set([
  'no-address',
  'not-allowed',
  'mixed',
  'page',
  'still',
  'unplayable',
])

export class StreamError extends Error {
  readonly reason: StreamReason
  /** What the words about it name: a host or a status. */
  readonly detail: string

  constructor(reason: StreamReason, detail = '') {
    super(detail === '' ? reason : `${reason}: ${detail}`)
    this.reason = reason
    this.detail = detail
  }
}

export interface StreamStats {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly framesPerSecond?: number | undefined
  readonly bitsPerSecond?: number | undefined
  readonly packetsLost?: number | undefined
  readonly packetsReceived?: number | undefined
  readonly roundTripMs?: number | undefined
  readonly jitterMs?: number | undefined
  readonly codec?: string | undefined
  /** Of a live stream, the time between now and the picture. */
  readonly behindSeconds?: number | undefined
  /** How much later it is shown than it was at best. */
  readonly lateSeconds?: number | undefined
}

export type StreamKind = 'hls' | 'mjpeg' | 'video' | 'whep'

/** What becomes of a picture: `unverified` where the page cannot see whether it moves. */
export type Picture = 'live' | 'playing' | 'unverified' | 'stalled'

export type Signal =
  | { readonly status: 'idle' | 'connecting' | 'ended' }
  | { readonly status: Picture }
  | { readonly status: 'lost'; readonly fault: StreamError; readonly retryAt: number }
  | { readonly status: 'failed'; readonly fault: StreamError }

/** One try to play something, which tells how it goes. */
export interface Attempt {
  readonly signal: AbortSignal
  readonly showPicture: (picture: Picture) => void
  readonly showStats: (stats: StreamStats) => void
  readonly showKind: (kind: StreamKind) => void
}

/** Settles when what is played has an end and it is reached; fails with a `StreamError` when the signal is lost. */
export type Play = (attempt: Attempt) => Promise<void>

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** Whoever was connected for that long starts to count anew. */
const STEADY_MS = 10_000
/** Of those who lost the same server at once, not all come back in the same moment. */
const SPREAD = 0.2

export function retryDelay(failures: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
  return Math.round(wait * (1 - SPREAD * random()))
}

export interface Surroundings {
  readonly now: () => number
  readonly random: () => number
}

interface Keeping extends Surroundings {
  readonly signal: AbortSignal
  readonly show: (signal: Signal) => void
  readonly showStats: (stats: StreamStats) => void
  readonly showKind: (kind: StreamKind) => void
  /** Gets what ends a wait early. */
  readonly onWait: (resume: () => void) => void
}

/** Plays until it is aborted, is over, or trying again would not help. */
export async function keepPlaying(play: Play, keeping: Keeping): Promise<void> {
  const { signal, show, now, random, onWait } = keeping
  let failures = 0
  // React shows everything twice in development: what is taken back at once would have connected for nothing.
  await pause(0, signal)
  while (!signal.aborted) {
    show({ status: 'connecting' })
    let liveSince: number | undefined
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    signal.addEventListener('abort', abort)
    try {
      await play({
        signal: attempt.signal,
        showStats: keeping.showStats,
        showKind: keeping.showKind,
        showPicture(picture) {
          if (attempt.signal.aborted) return
          if (picture !== 'stalled') liveSince ??= now()
          show({ status: picture })
        },
      })
      if (!signal.aborted) show({ status: 'ended' })
      return
    } catch (error) {
      if (signal.aborted) return
      // The library of one kind or another may throw what it likes: it is tried again, and told as no answer.
      const fault = error instanceof StreamError ? error : new StreamError('bad-answer')
      if (FINAL.has(fault.reason)) return show({ status: 'failed', fault })
      if (liveSince !== undefined && now() - liveSince >= STEADY_MS) failures = 0
      const waitMs = retryDelay(failures, random)
      failures += 1
      show({ status: 'lost', fault, retryAt: now() + waitMs })
      const early = new AbortController()
      onWait(() => early.abort())
      await pause(waitMs, AbortSignal.any([signal, early.signal]))
    } finally {
      signal.removeEventListener('abort', abort)
      attempt.abort()
    }
  }
}

/** Ends early, without a fault, when the signal does. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}

/** Where the policy of this page lets nothing be played from. It stays what it is for as long as the page is there. */
const refusedOrigins = new Set<string>()
let isFollowing = false

/** The browser tells a script only that a request failed, and the document that the policy was why. */
function followPolicy(): void {
  if (isFollowing) return
  isFollowing = true
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    const { origin } = URL.parse(blockedURI) ?? {}
    if (origin !== undefined && /^(?:connect|img|media)-src$/.test(effectiveDirective))
      refusedOrigins.add(origin)
  })
}

/** The violation is told in a later turn than the failure. */
const TOLD_WITHIN_MS = 50

/** Throws what is known of an address before anything is asked there. */
export function checkAddress(url: string): void {
  followPolicy()
  const { origin, host = '', username, password } = URL.parse(url) ?? {}
  // A program may have stored what no person could have typed.
  if (origin === undefined || username !== '' || password !== '') throw new StreamError('no-address')
  if (isMixed(url, location.protocol)) throw new StreamError('mixed')
  if (refusedOrigins.has(origin)) throw new StreamError('not-allowed', host)
}

/** Why nothing came from there: the policy, or the network. */
export async function failureAt(url: string, signal: AbortSignal): Promise<StreamError> {
  await pause(TOLD_WITHIN_MS, signal)
  const { origin, host } = new URL(url)
  return new StreamError(refusedOrigins.has(origin) ? 'not-allowed' : 'unreachable', host)
}

/** Nobody is told who asks or where, and what is not answered in time is no answer. */
export async function request(
  url: string,
  { signal, deadlineMs, ...init }: RequestInit & { signal: AbortSignal; deadlineMs: number },
): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), deadlineMs)
  try {
    return await fetch(url, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: AbortSignal.any([signal, late.signal]),
    })
  } catch {
    throw await failureAt(url, signal)
  } finally {
    clearTimeout(timer)
  }
}
