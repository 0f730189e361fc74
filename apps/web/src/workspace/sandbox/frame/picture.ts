import { snapdom } from '@zumer/snapdom'

export interface Picture {
  readonly png: ArrayBuffer
  readonly width: number
  readonly height: number
}

/** What the frame shows now, on white, as a person sees it: from the scroll position, as large as the frame. */
export async function takePicture(scale: number): Promise<Picture> {
  const root = document.documentElement
  const whole = await snapdom.toCanvas(root, { scale: 1, dpr: scale, embedFonts: false, cache: 'disabled' })
  const width = Math.max(1, Math.round(innerWidth * scale))
  const height = Math.max(1, Math.round(innerHeight * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The frame has no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  // Its copy is scrolled as the page is.
  context.drawImage(whole, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return { png: await blob.arrayBuffer(), width, height }
}
