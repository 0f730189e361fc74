import { words } from './words.ts'

interface TrackProcessor {
  readonly readable: ReadableStream<VideoFrame>
}
type TrackProcessorClass = new (options: { track: MediaStreamTrack; maxBufferSize: number }) => TrackProcessor

export interface FrameReader {
  /**
   * The first frame after a change to the track that is as wanted. The change is waited for while frames are read: without
   * a reader it would never be done. What cannot be captured gives no frame, and no error either: hence the deadline.
   */
  after(change: Promise<void>, isWanted: (frame: VideoFrame) => boolean): Promise<VideoFrame>
  /**
   * The latest frame when the first time is over. It is another one than the first, which may be kept from earlier, unless
   * none comes until the second time is over as well.
   */
  latest(afterMs: number, atMostMs: number): Promise<VideoFrame>
  close(): void
}

/** Reads a track's frames. ImageCapture would give one from before a change. */
export function readFrames(track: MediaStreamTrack, withinMs: number): FrameReader {
  const { MediaStreamTrackProcessor } = globalThis as { MediaStreamTrackProcessor?: TrackProcessorClass }
  if (MediaStreamTrackProcessor === undefined) throw new Error(words.cannotCapture)
  const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: 1 })
  const reader = readable.getReader()
  const ending = new AbortController()
  const over = Promise.withResolvers<never>()
  // Whoever waits hears of it; without anybody it is no fault.
  over.promise.catch(() => undefined)
  const deadline = setTimeout(() => over.reject(new Error(words.late(withinMs))), withinMs)
  let wanted: { isWanted: (frame: VideoFrame) => boolean; resolve: (frame: VideoFrame) => void } | undefined
  let keep: ((frame: VideoFrame) => void) | undefined

  function take(frame: VideoFrame): void {
    if (wanted === undefined && keep !== undefined) return keep(frame)
    if (wanted === undefined || !wanted.isWanted(frame)) return frame.close()
    wanted.resolve(frame)
    wanted = undefined
  }
  // A pipe would drop the frames that are on their way when it ends, without closing them.
  async function read(): Promise<void> {
    while (!ending.signal.aborted) {
      const { done, value } = await reader.read()
      if (done) return over.reject(new Error(words.ended))
      if (ending.signal.aborted) value.close()
      else take(value)
    }
    // Between two frames: one that is being handed over would be dropped as well.
    await reader.cancel()
  }
  read().catch((error: unknown) => over.reject(error))

  return {
    async after(change, isWanted) {
      const found = Promise.withResolvers<VideoFrame>()
      wanted = { isWanted, resolve: found.resolve }
      change.catch((error: unknown) => over.reject(error))
      return await Promise.race([found.promise, over.promise])
    },
    async latest(afterMs, atMostMs) {
      const found = Promise.withResolvers<VideoFrame>()
      let kept: VideoFrame | undefined
      let enough = Number.POSITIVE_INFINITY
      let seen = 0
      const give = (): void => {
        if (kept === undefined || seen < enough) return
        keep = undefined
        found.resolve(kept)
      }
      keep = (frame) => {
        kept?.close()
        kept = frame
        seen += 1
        give()
      }
      const settle = (frames: number) => (): void => {
        enough = frames
        give()
      }
      const timers = [setTimeout(settle(2), afterMs), setTimeout(settle(1), atMostMs)]
      try {
        return await Promise.race([found.promise, over.promise])
      } catch (error) {
        kept?.close()
        throw error
      } finally {
        for (const timer of timers) clearTimeout(timer)
        keep = undefined
      }
    },
    close() {
      clearTimeout(deadline)
      ending.abort()
    },
  }
}
