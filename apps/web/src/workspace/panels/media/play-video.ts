import { type Attempt, failureAt, request, StreamError } from './stream.ts'

const LOOK_EVERY_MS = 500
const STALLED_AFTER_MS = 3_000
const LOST_AFTER_MS = 15_000
const ANSWER_WITHIN_MS = 10_000

/** What the browser plays by itself: a file of video, or HLS where it knows that. */
export async function playVideo(url: string, video: HTMLVideoElement, attempt: Attempt): Promise<void> {
  const failed = Promise.withResolvers<never>()
  const fail = () => {
    void explain(url, video, attempt.signal).then(failed.reject)
  }
  video.addEventListener('error', fail)
  video.src = url
  try {
    await Promise.race([attend(video, attempt), failed.promise])
  } finally {
    video.removeEventListener('error', fail)
    letGo(video)
  }
}

/** Ends what the element loads: without this it would go on in the background. */
export function letGo(video: HTMLVideoElement): void {
  video.removeAttribute('src')
  video.srcObject = null
  video.load()
}

/** The element says that it cannot play it; why is for the answer of the server to say. */
async function explain(url: string, video: HTMLVideoElement, signal: AbortSignal): Promise<StreamError> {
  const wasShown = video.videoWidth > 0
  const isDecoding = video.error?.code === MediaError.MEDIA_ERR_DECODE
  if (isDecoding) return new StreamError('unplayable')
  const asking = new AbortController()
  try {
    const both = AbortSignal.any([signal, asking.signal])
    const { ok, status, headers } = await request(url, { signal: both, deadlineMs: ANSWER_WITHIN_MS })
    if (!ok) return new StreamError('refused', String(status))
    if (/^text\/html/i.test(headers.get('content-type') ?? '')) return new StreamError('page')
    return new StreamError(wasShown ? 'ended' : 'unplayable')
  } catch {
    return await failureAt(url, signal)
  } finally {
    asking.abort()
  }
}

interface Attending {
  /** The time between what is shown and now, of a stream that has a now. */
  readonly behind?: (() => number | undefined) | undefined
}

/**
 * Plays what the element was given, and watches it: a picture is live while time goes on in it. Settles at its end, or when
 * the attempt is aborted.
 */
export async function attend(
  video: HTMLVideoElement,
  { signal, showPicture, showStats }: Attempt,
  { behind = () => behindOf(video) }: Attending = {},
): Promise<void> {
  const over = Promise.withResolvers<void>()
  let at = video.currentTime
  let movedAt = performance.now()
  let frames = 0
  let countedAt = performance.now()
  let rate: number | undefined
  /** Between the clock and the time in the picture: grows with every halt, whatever the browser knows of the stream. */
  let leastDelay = Number.POSITIVE_INFINITY
  const end = () => over.resolve()
  const look = setInterval(() => {
    const now = performance.now()
    const hasMoved = video.currentTime !== at
    at = video.currentTime
    // A page that nobody sees draws nothing, and is not told that time stands still.
    if (hasMoved || document.hidden) movedAt = now
    if (hasMoved) showPicture(isLive(video) ? 'live' : 'playing')
    else if (now - movedAt >= LOST_AFTER_MS) over.reject(new StreamError('silent'))
    else if (now - movedAt >= STALLED_AFTER_MS && at > 0) showPicture('stalled')
    const { totalVideoFrames } = video.getVideoPlaybackQuality()
    if (now - countedAt >= 2_000) {
      rate = Math.round(((totalVideoFrames - frames) * 1_000) / (now - countedAt))
      frames = totalVideoFrames
      countedAt = now
    }
    const isAtWork = isLive(video) && at > 0
    const delay = now / 1_000 - at
    if (isAtWork) leastDelay = Math.min(leastDelay, delay)
    if (video.videoWidth > 0)
      showStats({
        width: video.videoWidth,
        height: video.videoHeight,
        framesPerSecond: rate,
        behindSeconds: isAtWork ? behind() : undefined,
        lateSeconds: isAtWork ? delay - leastDelay : undefined,
      })
  }, LOOK_EVERY_MS)
  video.addEventListener('ended', end)
  signal.addEventListener('abort', end)
  try {
    await Promise.all([start(video), over.promise])
  } finally {
    clearInterval(look)
    video.removeEventListener('ended', end)
    signal.removeEventListener('abort', end)
  }
}

/** Browsers let a page begin with sound only after a press; without it they always do. */
async function start(video: HTMLVideoElement): Promise<void> {
  await video.play().catch(async (error: unknown) => {
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    video.muted = true
    await video.play().catch(() => {})
  })
}

function isLive(video: HTMLVideoElement): boolean {
  return video.duration === Number.POSITIVE_INFINITY
}

function behindOf({ seekable, currentTime }: HTMLVideoElement): number | undefined {
  return seekable.length === 0 ? undefined : Math.max(0, seekable.end(seekable.length - 1) - currentTime)
}
