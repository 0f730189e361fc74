import { boundaryOf, PartReader } from './mjpeg-parts.ts'
import { type Attempt, failureAt, pause, request, StreamError } from './stream.ts'

const ANSWER_WITHIN_MS = 10_000
const STALLED_AFTER_MS = 3_000
const LOST_AFTER_MS = 12_000
const LOOK_EVERY_MS = 500
/** One that is cut off is passed over; a stream of nothing else is none. */
const MOST_BROKEN_IN_A_ROW = 10
const RATE_OVER_MS = 2_000

export interface MjpegSurfaces {
  /** Gets each picture, where the page may read the stream. */
  readonly canvas: HTMLCanvasElement
  /** Shows the stream by itself, where it may not. */
  readonly image: HTMLImageElement
  readonly showImage: (isShown: boolean) => void
}

/** Motion JPEG: pictures one after the other in an answer that does not end. */
export async function playMjpeg(url: string, surfaces: MjpegSurfaces, attempt: Attempt): Promise<void> {
  const { signal } = attempt
  surfaces.showImage(false)
  const response = await request(url, { signal, deadlineMs: ANSWER_WITHIN_MS }).catch((error: unknown) => {
    if (error instanceof StreamError && error.reason === 'unreachable') return undefined
    throw error
  })
  if (response === undefined) return await showUnread(url, surfaces, attempt)
  if (!response.ok) throw new StreamError('refused', String(response.status))
  const type = response.headers.get('content-type') ?? ''
  const boundary = boundaryOf(type)
  if (response.body === null || boundary === undefined) {
    void response.body?.cancel()
    throw new StreamError(
      /^text\/html/i.test(type) ? 'page' : /^image\//i.test(type) ? 'still' : 'unplayable',
    )
  }
  await showParts(response.body, new PartReader(boundary), surfaces.canvas, attempt)
}

/** Draws the newest picture and passes over those that came meanwhile: a slow browser would otherwise fall behind. */
async function showParts(
  body: ReadableStream<Uint8Array>,
  parts: PartReader,
  canvas: HTMLCanvasElement,
  { signal, showPicture, showStats }: Attempt,
): Promise<void> {
  const reader = body.getReader()
  const over = Promise.withResolvers<void>()
  const drawnAt: number[] = []
  let newest: Uint8Array<ArrayBuffer> | undefined
  let isDrawing = false
  let broken = 0
  let bytes = 0
  let heardAt = performance.now()

  const draw = async () => {
    if (isDrawing) return
    isDrawing = true
    while (newest !== undefined && !signal.aborted) {
      const jpeg = newest
      newest = undefined
      try {
        const picture = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }))
        if (canvas.width !== picture.width) canvas.width = picture.width
        if (canvas.height !== picture.height) canvas.height = picture.height
        canvas.getContext('2d')?.drawImage(picture, 0, 0)
        picture.close()
        broken = 0
        heardAt = performance.now()
        drawnAt.push(heardAt)
        showPicture('live')
      } catch {
        broken += 1
        if (broken >= MOST_BROKEN_IN_A_ROW) over.reject(new StreamError('unplayable'))
      }
    }
    isDrawing = false
  }
  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new StreamError('ended')
      bytes += value.length
      newest = parts.push(value).at(-1) ?? newest
      void draw()
    }
  }
  let lookedAt = performance.now()
  const look = setInterval(() => {
    const now = performance.now()
    if (now - heardAt >= LOST_AFTER_MS) return over.reject(new StreamError('silent'))
    if (now - heardAt >= STALLED_AFTER_MS) showPicture('stalled')
    while ((drawnAt[0] ?? now) < now - RATE_OVER_MS) drawnAt.shift()
    if (now - lookedAt < RATE_OVER_MS) return
    showStats({
      width: canvas.width,
      height: canvas.height,
      framesPerSecond: Math.round(drawnAt.length / (RATE_OVER_MS / 1_000)),
      bitsPerSecond: Math.round((bytes * 8_000) / (now - lookedAt)),
    })
    bytes = 0
    lookedAt = now
  }, LOOK_EVERY_MS)
  const stop = () => over.resolve()
  signal.addEventListener('abort', stop)
  // A network that goes away in the middle says so in the browser's own words.
  read().catch((error: unknown) =>
    over.reject(error instanceof StreamError ? error : new StreamError('ended')),
  )
  try {
    await over.promise
  } finally {
    clearInterval(look)
    signal.removeEventListener('abort', stop)
    void reader.cancel().catch(() => {})
  }
}

/** A server that lets no page read its stream can still be seen: by the browser alone, and nobody notices if it stands still. */
async function showUnread(
  url: string,
  { image, showImage }: MjpegSurfaces,
  { signal, showPicture, showStats }: Attempt,
): Promise<void> {
  const failed = Promise.withResolvers<void>()
  const fail = () => failed.resolve()
  image.addEventListener('error', fail)
  image.referrerPolicy = 'no-referrer'
  image.src = url
  showImage(true)
  try {
    const from = performance.now()
    let isShown = false
    while (!signal.aborted) {
      const isOver = await Promise.race([
        pause(LOOK_EVERY_MS, signal),
        failed.promise.then(() => true as const),
      ])
      if (isOver === true) throw await failureAt(url, signal)
      if (image.naturalWidth > 0) {
        if (!isShown) showPicture('unverified')
        isShown = true
        showStats({ width: image.naturalWidth, height: image.naturalHeight })
      } else if (performance.now() - from > ANSWER_WITHIN_MS)
        throw new StreamError('unreachable', new URL(url).host)
    }
  } finally {
    image.removeEventListener('error', fail)
    // Otherwise the browser goes on receiving.
    image.removeAttribute('src')
    showImage(false)
  }
}
