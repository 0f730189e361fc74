import { PASTE_LIMITS } from '@patchbay/contracts/limits'

/**
 * An address to draw a file from, to be given back with `URL.revokeObjectURL`. None for what is no picture, nor for one with
 * more pixels than the viewer takes: a few kilobytes can unfold to gigabytes. The size is known before anything unfolds.
 */
export async function openPreview(file: File): Promise<string | undefined> {
  const address = URL.createObjectURL(file)
  const image = new Image()
  const isLoaded = await new Promise<boolean>((resolve) => {
    image.addEventListener('load', () => resolve(true))
    image.addEventListener('error', () => resolve(false))
    image.src = address
  })
  if (isLoaded && image.naturalWidth * image.naturalHeight <= PASTE_LIMITS.pixels) return address
  URL.revokeObjectURL(address)
  return undefined
}

/** Waits until a picture can be drawn from its address, or cannot at all. */
export async function whenDrawable(address: string): Promise<void> {
  const image = new Image()
  image.src = address
  await image.decode().catch(() => undefined)
}
