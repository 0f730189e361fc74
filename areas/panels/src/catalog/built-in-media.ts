import type { BuiltIn } from './built-in.ts'

export const MEDIA: readonly BuiltIn[] = [
  {
    uuid: 'aa2a1b13-ad48-4e00-9a67-53c48821b4fe',
    kind: 'live-stream',
    name: 'Live stream',
    description: 'Plays a live video.',
    icon: 'cast',
  },
  {
    uuid: 'f7d0e5c2-d77a-4290-8e2c-5894b53c34f7',
    kind: 'webrtc-player',
    name: 'WebRTC player',
    description: 'Plays one stream with little delay.',
    icon: 'video',
  },
  {
    uuid: '87026141-e5f3-4b22-aa61-1db1aa640d61',
    kind: 'zoom-camera',
    name: 'Zoom camera',
    description: 'Shows a camera with two streams, near and far.',
    icon: 'camera',
  },
]
