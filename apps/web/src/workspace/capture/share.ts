import { words } from './words.ts'

interface TabOptions extends DisplayMediaStreamOptions {
  readonly preferCurrentTab: boolean
  readonly selfBrowserSurface: 'include'
}
interface ScreenOptions extends DisplayMediaStreamOptions {
  readonly monitorTypeSurfaces: 'include'
}

/**
 * A wish that nothing can fulfill. Without it pictures of what is larger than the screen, such as a window on two screens,
 * would be scaled down; a smaller one would scale them as well.
 */
const AS_IT_IS = { width: 16_384, height: 16_384 }

/** Asks the person to share this tab. */
export async function shareTab(): Promise<MediaStreamTrack> {
  const options: TabOptions = {
    video: { frameRate: 30, ...AS_IT_IS },
    audio: false,
    preferCurrentTab: true,
    selfBrowserSurface: 'include',
  }
  return videoOf(await navigator.mediaDevices.getDisplayMedia(options), ['browser'])
}

/** Asks the person to share a display. */
export async function shareScreen(): Promise<MediaStreamTrack> {
  const options: ScreenOptions = {
    video: { displaySurface: 'monitor', ...AS_IT_IS },
    audio: false,
    monitorTypeSurfaces: 'include',
  }
  return videoOf(await navigator.mediaDevices.getDisplayMedia(options), ['monitor'])
}

/** The person may choose something else than what was asked for; that would be a picture of something else. */
function videoOf(stream: MediaStream, surfaces: readonly string[]): MediaStreamTrack {
  const [track] = stream.getVideoTracks()
  if (track !== undefined && surfaces.includes(track.getSettings().displaySurface ?? '')) return track
  for (const other of stream.getTracks()) other.stop()
  throw new Error(surfaces[0] === 'monitor' ? words.noDisplay : words.otherTab)
}
