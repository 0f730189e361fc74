import type { ErrorTypes } from 'hls.js'
import { attend, letGo, playVideo } from './play-video.ts'
import { type Attempt, failureAt, StreamError } from './stream.ts'

const HLS_TYPE = 'application/vnd.apple.mpegurl'

/** HLS: by the browser where it knows it, otherwise by a library that is fetched for that. */
export async function playHls(url: string, video: HTMLVideoElement, attempt: Attempt): Promise<void> {
  if (video.canPlayType(HLS_TYPE) !== '') return await playVideo(url, video, attempt)
  const { default: Library } = await import('hls.js')
  if (attempt.signal.aborted) return
  if (!Library.isSupported()) throw new StreamError('unplayable')
  const hls = new Library({
    // Its worker would be a script of its own, made of text.
    enableWorker: false,
    lowLatencyMode: true,
    // By this a stream is known to be live.
    liveDurationInfinity: true,
    backBufferLength: 30,
    maxBufferLength: 20,
    maxMaxBufferLength: 40,
    // Trying again is done around this, and told to the person meanwhile.
    manifestLoadPolicy: policyOf(10_000),
    playlistLoadPolicy: policyOf(10_000),
    fragLoadPolicy: policyOf(20_000),
  })
  const failed = Promise.withResolvers<never>()
  hls.on(Library.Events.ERROR, (_, { fatal, type, details, response, url: at, frag }) => {
    if (!fatal) return
    const from = at ?? frag?.url ?? url
    if (type === Library.ErrorTypes.NETWORK_ERROR && (response?.code ?? 0) === 0)
      void failureAt(from, attempt.signal).then(failed.reject)
    else failed.reject(faultOf(type, details, response?.code))
  })
  hls.attachMedia(video)
  hls.loadSource(url)
  const behind = () => (hls.latency > 0 ? hls.latency : undefined)
  try {
    await Promise.race([attend(video, attempt, { behind }), failed.promise])
  } finally {
    hls.destroy()
    letGo(video)
  }
}

function policyOf(deadlineMs: number) {
  const again = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2_000 }
  return {
    default: {
      maxTimeToFirstByteMs: deadlineMs,
      maxLoadTimeMs: deadlineMs * 2,
      timeoutRetry: again,
      errorRetry: again,
    },
  }
}

function faultOf(type: ErrorTypes, details: string, status: number | undefined): StreamError {
  if (details === 'manifestParsingError') return new StreamError('bad-answer')
  if (/^(?:media|mux)Error$/.test(type)) return new StreamError('unplayable')
  return status === undefined || status < 400
    ? new StreamError('ended')
    : new StreamError('refused', String(status))
}
