import { afterPainting } from '../after-painting.ts'
import type { CapturedPicture, CaptureRequest, Capturer, SharingTime } from '../capture-port.ts'
import { middleOf, pictureOfFrame } from './frame-picture.ts'
import { readFrames } from './frame-reader.ts'
import { shareScreen, shareTab } from './share.ts'
import { distance, showSwatch } from './swatch.ts'
import { words } from './words.ts'

export interface CapturerOptions {
  /** How long a picture may take to come. */
  readonly frameMs?: number
  /** How long a screen is kept for the picture that it was shared for: while it is, the display does not sleep. */
  readonly screenMs?: number
}

const FRAME_MS = 3_000
const SCREEN_MS = 60_000
const SETTLING_MS = 700
/** A screen on which nothing moves may give one frame only. */
const STILL_MS = 2_000
const MOST_WAITING = 20

/** Pictures of this page, or of the screen, from what the person shares. */
export function createCapturer({ frameMs = FRAME_MS, screenMs = SCREEN_MS }: CapturerOptions): Capturer {
  const listeners = new Set<() => void>()
  const shared: { tab: MediaStreamTrack | undefined; screen: MediaStreamTrack | undefined } = {
    tab: undefined,
    screen: undefined,
  }

  let isForOnePicture = false

  function set(kind: keyof typeof shared, track: MediaStreamTrack | undefined): void {
    shared[kind]?.stop()
    shared[kind] = track
    // The browser's own "Stop sharing". A track that we stop says nothing.
    track?.addEventListener('ended', () => {
      if (shared[kind] === track) set(kind, undefined)
    })
    for (const listener of listeners) listener()
  }

  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** One after the other: a track shows one element at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MOST_WAITING) return Promise.reject(new Error(words.tooMany))
    waiting += 1
    const turn = last.then(work).finally(() => {
      waiting -= 1
    })
    last = turn.catch(() => undefined)
    return turn
  }

  async function captureScreen(track: MediaStreamTrack, withinMs: number): Promise<CapturedPicture> {
    await afterPainting()
    const frames = readFrames(track, withinMs)
    try {
      // The first one may be of a moment ago, with our own question still on the screen.
      const frame = await frames.latest(SETTLING_MS, STILL_MS)
      return { ...(await pictureOfFrame(frame, false, screen.width)), engine: 'display' }
    } finally {
      frames.close()
      // Otherwise the display would be kept awake for a picture that is there already.
      if (isForOnePicture && shared.screen === track) set('screen', undefined)
    }
  }

  return {
    isSharing: (scope = 'workspace') => shared[scope === 'screen' ? 'screen' : 'tab'] !== undefined,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async start(scope = 'workspace', time: SharingTime = 'until stopped') {
      if (scope !== 'screen') return set('tab', await shareTab())
      const track = await shareScreen()
      isForOnePicture = time === 'one picture'
      set('screen', track)
      if (!isForOnePicture) return
      setTimeout(() => {
        if (shared.screen === track) set('screen', undefined)
      }, screenMs)
    },
    stop(scope = 'workspace') {
      set(scope === 'screen' ? 'screen' : 'tab', undefined)
    },
    async capture({ scope, element, withinMs = 0 }: CaptureRequest) {
      const track = shared[scope === 'screen' ? 'screen' : 'tab']
      if (track === undefined)
        throw new Error(scope === 'screen' ? words.screenNotShared : words.pageNotShared)
      const patienceMs = Math.max(frameMs, withinMs)
      if (scope === 'screen') return await captureScreen(track, patienceMs)
      if (element === null) throw new Error(words.nothing)
      return await inTurn(() => captureElement(element, track, patienceMs))
    },
  }
}

/**
 * A picture of an element. First the track shows a patch of known color: a frame of another shape after that is of the
 * element, and newer than the question; and the patch tells whether frames name another color matrix than the one that they
 * were made by, as browsers without a graphics card do.
 */
async function captureElement(
  element: HTMLElement,
  track: MediaStreamTrack,
  withinMs: number,
): Promise<CapturedPicture> {
  const swatch = showSwatch(element)
  const frames = readFrames(track, withinMs)
  try {
    const patch = await frames.after(restrictTo(track, swatch.element), (frame) => swatch.isIn(frame))
    const isMislabelled = await namesWrongMatrix(patch)
    const picture = await frames.after(restrictTo(track, element), (frame) => !swatch.isIn(frame))
    const { width } = element.getBoundingClientRect()
    return { ...(await pictureOfFrame(picture, isMislabelled, width)), engine: 'restriction-target' }
  } finally {
    frames.close()
    swatch.remove()
  }
}

async function namesWrongMatrix(patch: VideoFrame): Promise<boolean> {
  const again = patch.clone()
  const [asNamed, asMade] = [await middleOf(patch, false), await middleOf(again, true)]
  return distance(asMade) < distance(asNamed)
}

interface RestrictionTargets {
  fromElement(element: Element): Promise<object>
}
interface RestrictableTrack extends MediaStreamTrack {
  restrictTo(target: object | null): Promise<void>
}

/**
 * From here on the track shows this element alone: nothing that lies over it, and all that lies in it. A clone would spare
 * the others of the track from it, but a track that has clones cannot be restricted.
 */
async function restrictTo(track: MediaStreamTrack, element: HTMLElement): Promise<void> {
  const { RestrictionTarget } = globalThis as { RestrictionTarget?: RestrictionTargets }
  if (RestrictionTarget === undefined) throw new Error(words.cannotCapturePart)
  await (track as RestrictableTrack).restrictTo(await RestrictionTarget.fromElement(element))
}
