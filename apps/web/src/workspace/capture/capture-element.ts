import type { CapturedPicture } from '../capture-port.ts'
import { middleOf, pictureOfFrame } from './frame-picture.ts'
import { readFrames } from './frame-reader.ts'
import { restrictTo } from './restriction.ts'
import { distance, showSwatch } from './swatch.ts'

/**
 * A picture of an element. First the track shows a patch of known color: a frame of another shape after that is of the
 * element, and newer than the question; and the patch tells whether frames name another color matrix than the one that they
 * were made by, as browsers without a graphics card do.
 */
export async function captureElement(
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
