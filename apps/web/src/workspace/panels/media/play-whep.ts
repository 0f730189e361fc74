import { type Attempt, pause, request, StreamError, type StreamStats } from './stream.ts'

const ANSWER_WITHIN_MS = 10_000
/** Candidates of this machine are there at once; whoever has none after that offers what there is. */
const GATHER_MS = 1_000
const FIRST_PICTURE_WITHIN_MS = 15_000
const STALLED_AFTER_MS = 3_000
const LOST_AFTER_MS = 10_000
const LOOK_EVERY_MS = 1_000
const LONGEST_ANSWER_BYTES = 64 * 1024
const SDP = 'application/sdp'

/**
 * WHEP: offers to receive one video and one audio track, is answered over HTTP, and takes the session back when it ends. No
 * server is asked for this computer's public address: what the stream's own server reaches is what there is.
 */
export async function playWhep(url: string, video: HTMLVideoElement, attempt: Attempt): Promise<void> {
  const peer = new RTCPeerConnection()
  const media = new MediaStream()
  peer.addTransceiver('video', { direction: 'recvonly' })
  peer.addTransceiver('audio', { direction: 'recvonly' })
  peer.addEventListener('track', ({ track }) => {
    media.addTrack(track)
    // Given once more, as some browsers look at the tracks only then.
    video.srcObject = media
    void video.play().catch(() => {})
  })
  let session: string | undefined
  const leave = () => {
    if (session !== undefined) endSession(session)
    session = undefined
  }
  // A page that goes runs nothing of what comes after.
  addEventListener('pagehide', leave)
  try {
    await peer.setLocalDescription(await peer.createOffer())
    await gathered(peer, attempt.signal)
    if (attempt.signal.aborted) return
    const answer = await exchange(url, peer.localDescription?.sdp ?? '')
    session = answer.session
    if (attempt.signal.aborted) return
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp }).catch(() => {
      throw new StreamError('bad-answer')
    })
    await watch(peer, attempt)
  } finally {
    removeEventListener('pagehide', leave)
    peer.close()
    leave()
    video.srcObject = null
  }
}

async function gathered(peer: RTCPeerConnection, signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const look = () => {
    if (peer.iceGatheringState === 'complete') done.abort()
  }
  peer.addEventListener('icegatheringstatechange', look)
  look()
  await pause(GATHER_MS, AbortSignal.any([signal, done.signal]))
  peer.removeEventListener('icegatheringstatechange', look)
}

/**
 * Not given up when the panel is: the server may have begun a session by then, which only its answer lets us end.
 */
async function exchange(url: string, offer: string): Promise<{ sdp: string; session: string | undefined }> {
  const whole = new AbortController()
  const timer = setTimeout(() => whole.abort(), ANSWER_WITHIN_MS)
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': SDP, accept: SDP },
      body: offer,
      signal: whole.signal,
      deadlineMs: ANSWER_WITHIN_MS,
    })
    if (!response.ok) throw new StreamError('refused', String(response.status))
    const session = sessionOf(response, url)
    const sdp = await readText(response)
    if (response.status !== 201 || !sdp.startsWith('v=0')) {
      if (session !== undefined) endSession(session)
      throw new StreamError(
        /^text\/html/i.test(response.headers.get('content-type') ?? '') ? 'page' : 'bad-answer',
      )
    }
    return { sdp, session }
  } finally {
    clearTimeout(timer)
  }
}

/** On the same origin alone: a server could otherwise have this browser delete something elsewhere. */
function sessionOf(response: Response, url: string): string | undefined {
  const location = response.headers.get('location')
  const session = location === null ? null : URL.parse(location, response.url === '' ? url : response.url)
  return session?.origin === new URL(url).origin ? session.href : undefined
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const read = await reader?.read().catch(() => {
      throw new StreamError('bad-answer')
    })
    if (read === undefined || read.done) return text
    bytes += read.value.length
    if (bytes > LONGEST_ANSWER_BYTES) {
      void reader?.cancel()
      throw new StreamError('bad-answer')
    }
    text += decoder.decode(read.value, { stream: true })
  }
}

function endSession(session: string): void {
  // Also from a page that is being closed. Whether it worked is nobody's to know any more.
  void fetch(session, {
    method: 'DELETE',
    keepalive: true,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }).catch(() => {})
}

async function watch(peer: RTCPeerConnection, { signal, showPicture, showStats }: Attempt): Promise<void> {
  let before: Counted | undefined
  let movedAt = performance.now()
  let hasShown = false
  while (!signal.aborted) {
    if (peer.connectionState === 'failed') throw new StreamError(hasShown ? 'silent' : 'no-path')
    const now = performance.now()
    const counted = count(await peer.getStats(), now)
    if (before !== undefined && counted.progress > before.progress) {
      movedAt = now
      hasShown = true
      showPicture('live')
    } else if (before !== undefined && document.hidden) movedAt = now
    const still = now - movedAt
    if (still >= (hasShown ? LOST_AFTER_MS : FIRST_PICTURE_WITHIN_MS))
      throw new StreamError(hasShown || peer.connectionState === 'connected' ? 'silent' : 'no-path')
    if (hasShown && still >= STALLED_AFTER_MS) showPicture('stalled')
    if (hasShown) showStats(statsOf(counted, before))
    before = counted
    await pause(hasShown ? LOOK_EVERY_MS : LOOK_EVERY_MS / 5, signal)
  }
}

interface Counted {
  readonly at: number
  readonly progress: number
  readonly bytes: number
  readonly stats: StreamStats
}

/** What the library's types leave out of the reports of a connection. */
interface Report {
  readonly type: string
  readonly kind?: string
  readonly id: string
  readonly codecId?: string
  readonly mimeType?: string
  readonly framesDecoded?: number
  readonly framesPerSecond?: number
  readonly frameWidth?: number
  readonly frameHeight?: number
  readonly bytesReceived?: number
  readonly packetsLost?: number
  readonly packetsReceived?: number
  readonly jitter?: number
  readonly nominated?: boolean
  readonly currentRoundTripTime?: number
}

function count(reports: RTCStatsReport, at: number): Counted {
  const all = [...(reports as unknown as ReadonlyMap<string, Report>).values()]
  const received = all.filter(({ type }) => type === 'inbound-rtp')
  const video = received.find(({ kind }) => kind === 'video')
  const audio = received.find(({ kind }) => kind === 'audio')
  const path = all.find(({ type, nominated }) => type === 'candidate-pair' && nominated === true)
  const codec = all.find(({ id }) => id === video?.codecId)
  const sum = (of: (report: Report) => number | undefined) =>
    received.reduce((total, report) => total + (of(report) ?? 0), 0)
  const hasVideo = (video?.framesDecoded ?? 0) > 0
  return {
    at,
    progress: hasVideo ? (video?.framesDecoded ?? 0) : (audio?.packetsReceived ?? 0),
    bytes: sum(({ bytesReceived }) => bytesReceived),
    stats: {
      width: video?.frameWidth,
      height: video?.frameHeight,
      framesPerSecond: video?.framesPerSecond,
      packetsLost: sum(({ packetsLost }) => packetsLost),
      packetsReceived: sum(({ packetsReceived }) => packetsReceived),
      roundTripMs: inMilliseconds(path?.currentRoundTripTime),
      jitterMs: inMilliseconds(video?.jitter),
      codec: codec?.mimeType?.replace(/^video\//, ''),
    },
  }
}

function statsOf(counted: Counted, before: Counted | undefined): StreamStats {
  if (before === undefined) return counted.stats
  const bits = (counted.bytes - before.bytes) * 8
  return {
    ...counted.stats,
    bitsPerSecond: Math.max(0, Math.round((bits * 1_000) / Math.max(1, counted.at - before.at))),
  }
}

function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1_000)
}
