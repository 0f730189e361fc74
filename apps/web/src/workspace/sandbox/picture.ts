import { SCREENSHOT_LIMITS } from '@patchbay/contracts/limits'
import type { PanelPicture } from '../panel-definition.ts'
import type { FrameAnswer } from './frame-messages.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47]

/** What takes a picture inside the frame, as text. Fetched when it is first needed. */
export async function pictureSource(): Promise<string> {
  return (await import('./frame/picture.ts?script')).text
}

/** The picture that the frame gave, if it is one. */
export function pictureOf(answer: Extract<FrameAnswer, { type: 'picture' }>, scale: number): PanelPicture {
  const { png, width, height } = answer
  const isPng = png instanceof ArrayBuffer && PNG.every((byte, index) => new Uint8Array(png)[index] === byte)
  if (!isPng || png.byteLength > SCREENSHOT_LIMITS.bytes) throw new Error('The frame returned no screenshot.')
  return { png: new Blob([png], { type: 'image/png' }), width, height, scale }
}
