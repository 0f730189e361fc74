// One module for all of them: what two of them share would otherwise be part of the first load of every workspace.
export { LiveStreamPanel } from './live-stream-panel.tsx'
export { WebrtcPlayerPanel } from './webrtc-player-panel.tsx'
export { ZoomCameraPanel } from './zoom-camera-panel.tsx'
