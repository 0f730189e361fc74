import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Page } from '@patchbay/testkit/chromium'
import sharp from 'sharp'
import { RTCPeerConnection as Peer, MediaStreamTrack as Track } from 'werift'

/** The fake camera of Chromium, without asking; and candidates on loopback, which it leaves out otherwise. */
export const CAMERA_ARGS = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--autoplay-policy=no-user-gesture-required',
]

const ANYBODY = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-expose-headers': 'location',
}

interface MediaServer extends AsyncDisposable {
  /** The origin. */
  readonly url: string
  /** Methods and paths that were asked for, preflights apart. */
  readonly asked: readonly string[]
}

async function listen(
  respond: (request: IncomingMessage, response: ServerResponse) => unknown,
  { host = '127.0.0.1', port = 0 } = {},
): Promise<MediaServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'OPTIONS') asked.push(`${request.method} ${request.url}`)
    void respond(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return {
    url: `http://${host}:${address.port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

export interface WebrtcServer extends MediaServer {
  readonly whip: string
  readonly whep: string
  /** Of viewers: how many are connected, and how many sessions were begun in all. */
  viewers(): number
  sessions(): number
  /** Whether packets are passed on. */
  setPassing(isPassing: boolean): void
  /** Sessions are begun and not answered, until the returned function is called. */
  holdAnswers(): () => void
  /** What is answered instead of a session, until it is taken back. */
  answerInstead(answer: ((response: ServerResponse) => void) | undefined): void
}

/** A WHIP and WHEP server: what is sent to the one comes out of the other. */
export async function serveWebrtc({ port = 0 } = {}): Promise<WebrtcServer> {
  const incoming = new Map<string, Track>()
  const viewers = new Map<string, Peer>()
  const publishers: Peer[] = []
  const outgoing = new Set<Track>()
  const askForPicture: (() => void)[] = []
  let isPassing = true
  let sessions = 0
  let answering = Promise.resolve()
  let instead: ((response: ServerResponse) => void) | undefined

  const makePeer = () =>
    new Peer({
      iceServers: [],
      iceUseIpv6: false,
      iceUseTcp: false,
      iceInterfaceAddresses: { udp4: '127.0.0.1' },
      iceAdditionalHostAddresses: ['127.0.0.1'],
    })
  const answerOf = async (peer: Peer) => {
    await peer.setLocalDescription(await peer.createAnswer())
    return peer.localDescription?.sdp ?? ''
  }
  const publish = async (offer: string) => {
    const peer = makePeer()
    publishers.push(peer)
    peer.onRemoteTransceiverAdded.subscribe((transceiver) => {
      transceiver.onTrack.subscribe((track) => {
        incoming.set(track.kind, track)
        if (track.kind === 'video')
          askForPicture.push(() => void transceiver.receiver.sendRtcpPLI(track.ssrc ?? 0).catch(() => {}))
        track.onReceiveRtp.subscribe((packet) => {
          if (!isPassing) return
          for (const copy of outgoing) if (copy.kind === track.kind) copy.writeRtp(packet.clone())
        })
      })
    })
    await peer.setRemoteDescription({ type: 'offer', sdp: offer })
    return await answerOf(peer)
  }
  const view = async (offer: string) => {
    const peer = makePeer()
    sessions += 1
    const id = String(sessions)
    viewers.set(id, peer)
    const own: Track[] = []
    await peer.setRemoteDescription({ type: 'offer', sdp: offer })
    for (const transceiver of peer.getTransceivers()) {
      const track = new Track({ kind: transceiver.kind })
      await transceiver.sender.replaceTrack(track)
      transceiver.setDirection('sendonly')
      own.push(track)
    }
    peer.connectionStateChange.subscribe((state) => {
      if (state === 'connected') {
        for (const track of own) outgoing.add(track)
        // Nothing can be shown before a whole picture, which the camera sends when it is asked.
        for (const ask of askForPicture) ask()
      }
      if (state === 'closed' || state === 'failed') {
        viewers.delete(id)
        for (const track of own) outgoing.delete(track)
      }
    })
    return { id, sdp: await answerOf(peer) }
  }
  const server = await listen(
    async (request, response) => {
      if (request.method === 'OPTIONS') return response.writeHead(204, ANYBODY).end()
      const path = request.url ?? ''
      const session = /^\/sessions\/(\d+)$/.exec(path)?.[1]
      if (request.method === 'DELETE' && session !== undefined) {
        const peer = viewers.get(session)
        viewers.delete(session)
        await peer?.close()
        return response.writeHead(peer === undefined ? 404 : 200, ANYBODY).end()
      }
      // Cameras are for pages of a secure origin, which loopback is.
      if (path === '/camera')
        return response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><title>Camera</title>')
      const offer = await bodyOf(request)
      if (path === '/whip') {
        const sdp = await publish(offer)
        const headers = { ...ANYBODY, 'content-type': 'application/sdp', location: '/published' }
        return response.writeHead(201, headers).end(sdp)
      }
      if (instead !== undefined) return instead(response)
      if (path !== '/whep' || request.method !== 'POST') return response.writeHead(404, ANYBODY).end()
      const { id, sdp } = await view(offer)
      await answering
      const headers = { ...ANYBODY, 'content-type': 'application/sdp', location: `/sessions/${id}` }
      return response.writeHead(201, headers).end(sdp)
    },
    { port },
  )
  return {
    ...server,
    whip: `${server.url}/whip`,
    whep: `${server.url}/whep`,
    viewers: () => viewers.size,
    sessions: () => sessions,
    setPassing: (passing) => {
      isPassing = passing
      if (passing) for (const ask of askForPicture) ask()
    },
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>()
      answering = promise
      return resolve
    },
    answerInstead: (answer) => {
      instead = answer
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...publishers, ...viewers.values()].map((peer) => peer.close()))
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Sends the browser's fake camera and microphone there, from this page. */
export async function publishCamera(page: Page, { url: origin, whip }: WebrtcServer): Promise<void> {
  await page.goto(`${origin}/camera`)
  await page.evaluate(async (url) => {
    const media = await navigator.mediaDevices.getUserMedia({
      video: { width: 320, height: 180, frameRate: 10 },
      audio: true,
    })
    const peer = new RTCPeerConnection()
    for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly' })
    for (const transceiver of peer.getTransceivers()) {
      if (transceiver.sender.track?.kind !== 'video') continue
      // One codec, so that what comes in can go out unchanged.
      const { codecs = [] } = RTCRtpReceiver.getCapabilities('video') ?? {}
      transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType === 'video/VP8'))
    }
    await peer.setLocalDescription(await peer.createOffer())
    while (peer.iceGatheringState !== 'complete') await new Promise((resolve) => setTimeout(resolve, 20))
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: peer.localDescription?.sdp ?? '',
    })
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
    Object.assign(globalThis, { camera: peer })
    while (peer.connectionState !== 'connected') await new Promise((resolve) => setTimeout(resolve, 20))
  }, whip)
}

export interface MjpegServer extends MediaServer {
  readonly stream: string
  /** Ends the answers under way. */
  cut(): void
  setPassing(isPassing: boolean): void
  viewers(): number
}

/** Ten pictures a second with a bar that moves, as a camera on a microcontroller sends them. */
export async function serveMjpeg({
  isReadable = true,
  hasLengths = true,
  port = 0,
  path = '/stream.mjpg',
} = {}): Promise<MjpegServer> {
  const pictures = await Promise.all(Array.from({ length: 10 }, (_, at) => picture(at)))
  const open = new Set<ServerResponse>()
  let isPassing = true
  const server = await listen(
    (request, response) => {
      if (request.url !== path) return response.writeHead(404, ANYBODY).end()
      response.writeHead(200, {
        ...(isReadable && ANYBODY),
        'content-type': 'multipart/x-mixed-replace; boundary="a picture"',
      })
      open.add(response)
      return response.on('close', () => open.delete(response))
    },
    { port },
  )
  let at = 0
  const timer = setInterval(() => {
    at = (at + 1) % pictures.length
    const jpeg = pictures[at]
    if (!isPassing || jpeg === undefined) return
    const length = hasLengths ? `Content-Length: ${jpeg.length}\r\n` : ''
    for (const response of open)
      response.write(
        Buffer.concat([
          Buffer.from(`--a picture\r\nContent-Type: image/jpeg\r\n${length}\r\n`),
          jpeg,
          Buffer.from('\r\n'),
        ]),
      )
  }, 100)
  return {
    ...server,
    stream: server.url + path,
    viewers: () => open.size,
    cut() {
      for (const response of open) response.end()
    },
    setPassing(passing) {
      isPassing = passing
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await server[Symbol.asyncDispose]()
    },
  }
}

async function picture(at: number): Promise<Buffer> {
  const bars = ['#d9822b', '#2b8cd9', '#3aa655', '#b03a8c']
    .map((color, index) => `<rect x="${index * 160}" width="160" height="300" fill="${color}"/>`)
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360">
    <rect width="640" height="360" fill="#20242a"/>${bars}
    <rect x="${at * 60}" y="315" width="60" height="30" fill="white"/></svg>`
  return await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer()
}

/** A video of a pattern that moves, as Chromium records it: fragmented MP4, with a whole picture each second. */
export async function recordVideo(page: Page, seconds: number): Promise<Buffer> {
  const text = await page.evaluate(async (length) => {
    const canvas = document.createElement('canvas')
    canvas.width = 640
    canvas.height = 360
    const context = canvas.getContext('2d')
    const from = performance.now()
    const draw = () => {
      if (context === null) return
      const time = (performance.now() - from) / 1_000
      context.fillStyle = `hsl(${time * 40} 45% 30%)`
      context.fillRect(0, 0, 640, 360)
      context.fillStyle = 'white'
      context.font = '80px sans-serif'
      context.fillText(time.toFixed(1), 230, 200)
      context.fillRect((time * 160) % 640, 320, 60, 20)
    }
    draw()
    const drawing = setInterval(draw, 40)
    const recorder = new MediaRecorder(canvas.captureStream(25), {
      mimeType: 'video/mp4;codecs=avc1.42E01E',
      videoBitsPerSecond: 600_000,
      videoKeyFrameIntervalDuration: 1_000,
    } as MediaRecorderOptions)
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start(1_000)
    await new Promise((resolve) => setTimeout(resolve, length * 1_000))
    recorder.stop()
    await stopped
    clearInterval(drawing)
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    return btoa(binary)
  }, seconds)
  return Buffer.from(text, 'base64')
}

export interface HlsServer extends MediaServer {
  readonly playlist: string
  setBroken(status: number | undefined): void
}

interface Segments {
  readonly head: Buffer
  readonly segments: readonly { readonly bytes: Buffer; readonly seconds: number }[]
}

/** The boxes of a fragmented MP4, as the pieces of an HLS stream. */
export function segmentsOf(video: Buffer): Segments {
  const boxes: { type: string; bytes: Buffer }[] = []
  for (let at = 0; at + 8 <= video.length; ) {
    const small = video.readUInt32BE(at)
    const size = small === 1 ? Number(video.readBigUInt64BE(at + 8)) : small === 0 ? video.length - at : small
    boxes.push({ type: video.toString('latin1', at + 4, at + 8), bytes: video.subarray(at, at + size) })
    at += size
  }
  const head = Buffer.concat(
    boxes.filter(({ type }) => type === 'ftyp' || type === 'moov').map(({ bytes }) => bytes),
  )
  const timescale = timescaleOf(head)
  const segments: { bytes: Buffer; seconds: number }[] = []
  let fragment: Buffer[] = []
  let seconds = 0
  for (const { type, bytes } of boxes) {
    if (type === 'moof') {
      fragment = [bytes]
      seconds = durationOf(bytes) / timescale
    } else if (type === 'mdat' && fragment.length > 0) {
      segments.push({ bytes: Buffer.concat([...fragment, bytes]), seconds })
      fragment = []
    }
  }
  return { head, segments }
}

function timescaleOf(head: Buffer): number {
  const at = head.indexOf('mdhd')
  return head.readUInt32BE(at + (head[at + 4] === 1 ? 24 : 16))
}

/** The sum of what the run of a fragment says of its samples, or the header for all of them. */
function durationOf(moof: Buffer): number {
  const trun = moof.indexOf('trun')
  const tfhd = moof.indexOf('tfhd')
  const flags = moof.readUInt32BE(trun + 4) & 0xffffff
  const count = moof.readUInt32BE(trun + 8)
  if ((flags & 0x100) === 0) {
    const headFlags = moof.readUInt32BE(tfhd + 4) & 0xffffff
    const before = [0x1, 0x2].filter((flag) => (headFlags & flag) !== 0).map((flag) => (flag === 1 ? 8 : 4))
    return count * moof.readUInt32BE(tfhd + 12 + before.reduce((sum, size) => sum + size, 0))
  }
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length
  let at = trun + 12 + ((flags & 0x1) === 0 ? 0 : 4) + ((flags & 0x4) === 0 ? 0 : 4)
  let sum = 0
  for (let sample = 0; sample < count; sample += 1) {
    sum += moof.readUInt32BE(at)
    at += fields * 4
  }
  return sum
}

/** A fragment as it is when the video has been played so often before. */
function repeated(fragment: Buffer, ticks: number): Buffer {
  if (ticks === 0) return fragment
  const bytes = Buffer.from(fragment)
  const at = bytes.indexOf('tfdt')
  if (bytes[at + 4] === 1) bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at + 8) + BigInt(ticks), at + 8)
  else bytes.writeUInt32BE(bytes.readUInt32BE(at + 8) + ticks, at + 8)
  return bytes
}

/** A live HLS stream of that video: a segment is added as soon as its time has passed. Without an end it begins anew. */
export async function serveHls(
  video: Buffer,
  { ahead = 4, isEndless = false, port = 0 } = {},
): Promise<HlsServer> {
  const { head, segments } = segmentsOf(video)
  const allSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0)
  const allTicks = Math.round(allSeconds * timescaleOf(head))
  let broken: number | undefined
  const startedAt = performance.now()
  const playlist = () => {
    const passed = (performance.now() - startedAt) / 1_000
    const there: number[] = []
    const most = isEndless ? Infinity : segments.length
    for (let at = 0, until = 0; at < most; at += 1) {
      const seconds = segments[at % segments.length]?.seconds ?? 1
      until += seconds
      if (at >= ahead && until > passed + ahead) break
      there.push(seconds)
    }
    const target = Math.ceil(Math.max(...segments.map(({ seconds }) => seconds)))
    const isOver = !isEndless && there.length === segments.length
    return [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      `#EXT-X-TARGETDURATION:${target}`,
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-MAP:URI="head.mp4"',
      ...there.flatMap((seconds, at) => [`#EXTINF:${seconds.toFixed(3)},`, `${at}.m4s`]),
      ...(isOver ? ['#EXT-X-ENDLIST'] : []),
      '',
    ].join('\n')
  }
  const server = await listen(
    (request, response) => {
      if (request.method === 'OPTIONS') return response.writeHead(204, ANYBODY).end()
      if (broken !== undefined) return response.writeHead(broken, ANYBODY).end()
      const name = (request.url ?? '').slice(1)
      const number = Number(/^(\d+)\.m4s$/.exec(name)?.[1] ?? -1)
      const found = segments[isEndless ? number % segments.length : number]
      const segment = found && repeated(found.bytes, Math.floor(number / segments.length) * allTicks)
      const [type, body] =
        name === 'live.m3u8'
          ? ['application/vnd.apple.mpegurl', Buffer.from(playlist())]
          : name === 'head.mp4'
            ? ['video/mp4', head]
            : ['video/iso.segment', segment]
      if (body === undefined) return response.writeHead(404, ANYBODY).end()
      return response
        .writeHead(200, { ...ANYBODY, 'content-type': type, 'content-length': body.length })
        .end(body)
    },
    { port },
  )
  return {
    ...server,
    playlist: `${server.url}/live.m3u8`,
    setBroken: (status) => {
      broken = status
    },
  }
}

/** The video as a file, in one piece. */
export async function serveVideo(video: Buffer, type = 'video/mp4', path = '/video'): Promise<MediaServer> {
  return await listen((request, response) => {
    if (request.url !== path) return response.writeHead(404, ANYBODY).end()
    return response
      .writeHead(200, { ...ANYBODY, 'content-type': type, 'content-length': video.length })
      .end(video)
  })
}
