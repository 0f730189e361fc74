import type { CapturedPicture } from '../capture-port.ts'
import { words } from './words.ts'

/** A frame as PNG. Closes the frame: only a few may be open at once. */
export async function pictureOfFrame(
  frame: VideoFrame,
  isMislabelled: boolean,
  cssWidth: number,
): Promise<Omit<CapturedPicture, 'engine'>> {
  const labeled = isMislabelled ? await relabel(frame) : frame
  try {
    const { displayWidth: width, displayHeight: height } = labeled
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error(words.noCanvas)
    context.drawImage(labeled, 0, 0)
    const png = await canvas.convertToBlob({ type: 'image/png' })
    return { png, width, height, scale: cssWidth > 0 ? Math.round((width / cssWidth) * 100) / 100 : 1 }
  } finally {
    labeled.close()
  }
}

/** The color in the middle of a frame, with or without another label. Closes the frame. */
export async function middleOf(frame: VideoFrame, isMislabelled: boolean): Promise<readonly number[]> {
  const labeled = isMislabelled ? await relabel(frame) : frame
  const { displayWidth, displayHeight } = labeled
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d')
  context?.drawImage(labeled, -Math.floor(displayWidth / 2), -Math.floor(displayHeight / 2))
  labeled.close()
  return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
}

/** The same pixels, with the matrix that they were made by. Closes the frame. */
async function relabel(frame: VideoFrame): Promise<VideoFrame> {
  const { format, codedWidth, codedHeight, displayWidth, displayHeight, timestamp, visibleRect } = frame
  if (format === null || !/^(?:I4|NV)/.test(format)) return frame
  const rect = visibleRect ?? undefined
  const bytes = new Uint8Array(frame.allocationSize(rect === undefined ? {} : { rect }))
  const layout = await frame.copyTo(bytes, rect === undefined ? {} : { rect })
  frame.close()
  return new VideoFrame(bytes, {
    format,
    layout,
    codedWidth: rect?.width ?? codedWidth,
    codedHeight: rect?.height ?? codedHeight,
    displayWidth,
    displayHeight,
    timestamp,
    colorSpace: { matrix: 'smpte170m', primaries: 'bt709', transfer: 'bt709', fullRange: false },
  })
}
