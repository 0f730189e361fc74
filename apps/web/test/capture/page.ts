import { createCapturer } from '../../src/workspace/capture/capturer.ts'
import { pictureOfFrame } from '../../src/workspace/capture/frame-picture.ts'
import type { CapturedPicture } from '../../src/workspace/capture-port.ts'

/** The color of pixels of a picture, as they are stored in it. */
async function colorsAt(
  picture: CapturedPicture,
  points: readonly (readonly [number, number])[],
): Promise<number[][]> {
  const bitmap = await createImageBitmap(picture.png)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  return points.map(([x, y]) => [...(context?.getImageData(x, y, 1, 1).data ?? [])].slice(0, 3))
}

Object.assign(globalThis, { createCapturer, colorsAt, pictureOfFrame })
