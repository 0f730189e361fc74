import type { StreamReason } from './stream.ts'

const seconds = (count: number) => `${count} s`

/** Why there is no picture, and what to do about it. */
const reasons: Readonly<Record<StreamReason, (detail: string) => string>> = {
  'no-address': () => 'This is not an address that can be played.',
  'not-allowed': (host) =>
    `This installation plays nothing from ${host}. Its operator can allow the address with PATCHBAY_MEDIA_ORIGINS.`,
  mixed: () => 'An address over http cannot be played in a page over https. Use an https address.',
  unreachable: (host) => `Nothing answers at ${host}, or it does not let other pages read what it sends.`,
  refused: (status) => `The server refused it (HTTP ${status}).`,
  page: () => 'This is a web page, not a stream. Open it in a web view.',
  still: () => 'This is a single picture, not a stream.',
  unplayable: () => 'This browser cannot play the format of this stream.',
  silent: () => 'The server sends no more pictures.',
  ended: () => 'The server ended the stream.',
  'no-path': () => 'No connection for video could be made to the server. A firewall may block it.',
  'bad-answer': () => 'The server did not answer as WHEP servers do.',
  'too-large': () => 'A single picture of this stream is too large.',
}

/** What the media panels say. */
export const words = {
  bar: 'Player',
  address: 'Address',
  streamExample: 'https://cam.example/live.m3u8',
  whepExample: 'https://cam.example/whep',
  kind: 'Kind of stream',
  kinds: { auto: 'Detect', hls: 'HLS', mjpeg: 'MJPEG', video: 'Video' },
  kindNames: { hls: 'HLS', mjpeg: 'MJPEG', video: 'Video', whep: 'WebRTC' },
  sound: 'Sound',
  fill: 'Fill the panel',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  details: 'Connection details',
  picture: (title: string) => `${title}, picture`,
  none: {
    title: 'No stream yet',
    stream: 'Type the address of an HLS or MJPEG stream or a video above.',
    whep: 'Type the address of a WHEP endpoint above.',
    viewOnly: 'No address has been entered yet.',
  },
  states: {
    idle: 'Not connected',
    connecting: 'Connecting…',
    live: 'Live',
    playing: 'Playing',
    unverified: 'Showing',
    stalled: 'Waiting for the next picture…',
    lost: 'No signal',
    failed: 'Cannot play',
    ended: 'Ended',
  },
  unverified: 'This server does not let pages check the stream: a picture that stands still is not noticed.',
  reasons,
  again: (left: number) => `Trying again in ${seconds(left)}`,
  tryNow: 'Try now',
  tryAgain: 'Try again',
  playAgain: 'Play again',
  goLive: 'Go to live',
  soundBlocked: {
    title: 'Sound is off',
    text: 'The browser turns sound on only after a press on Sound.',
  },
  stats: {
    size: (width: number, height: number) => `${width} × ${height}`,
    rate: (frames: number) => `${frames} fps`,
    bitrate: (bitsPerSecond: number) =>
      bitsPerSecond >= 1_000_000
        ? `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`
        : `${Math.round(bitsPerSecond / 1_000)} kbit/s`,
    behind: (time: number) => `${time.toFixed(1)} s behind`,
    roundTrip: (milliseconds: number) => `${milliseconds} ms round trip`,
    lost: (count: number) => (count === 1 ? '1 packet lost' : `${count.toLocaleString('en')} packets lost`),
  },
  camera: {
    addresses: 'Addresses of the pictures',
    wideUrl: 'Wide picture (WHEP address)',
    nearUrl: 'Near picture (WHEP address)',
    wide: (title: string) => `${title}, wide picture`,
    near: (title: string) => `${title}, near picture`,
    wideName: 'Wide',
    nearName: 'Near',
    none: 'Type the WHEP address of the wide picture above.',
    crop: 'Near: a part of the wide picture',
    noRegion: 'Draw a region on the wide picture to see it here.',
    region: 'Region of interest',
    keys: 'Drag to draw a region. Keys: arrows move it, + and − change its size, Enter looks there, Escape gives up.',
    device: 'Camera that is aimed',
    noDevice: 'No device',
    preset: 'Preset',
    moves: {
      left: 'Pan left',
      right: 'Pan right',
      up: 'Tilt up',
      down: 'Tilt down',
      out: 'Zoom out',
      in: 'Zoom in',
    },
    aim: (pan: number, tilt: number, zoom: number) =>
      `Pan ${pan.toFixed(1)}° · Tilt ${tilt.toFixed(1)}° · Zoom ${zoom.toFixed(1)} ×`,
    sending: 'Sending…',
    gone: 'The device is not there',
    offline: (title: string) => `${title} is offline`,
    notAimed: 'The camera was not aimed',
    /** A sentence of what the page knows as a clause. */
    why: (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1).replace(/\.$/, '')}.`,
    stale: 'Stale',
    disabled: (reason: string) => `Not available: ${reason}`,
  },
  table: {
    resolution: 'Resolution',
    rate: 'Frames per second',
    bitrate: 'Bitrate',
    lost: 'Packets lost',
    lostOf: (count: number, share: number) => `${count.toLocaleString('en')} (${(share * 100).toFixed(2)} %)`,
    roundTrip: 'Round trip time',
    milliseconds: (count: number) => `${count} ms`,
    jitter: 'Jitter',
    codec: 'Codec',
    dash: '—',
  },
}
