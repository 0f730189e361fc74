import { nameOfSample } from './picture-name.ts'
import { decodePng, requirePng } from './plain-png.io.ts'

const SAMPLE_SIDE = 64

/** A name of what its pixels say for certain. The original has its size, the optimized file is read faster. */
export async function nameOfPicture(optimized: string, original: string): Promise<string> {
  await requirePng(original)
  await requirePng(optimized)
  const { width, height } = await decodePng(original).metadata()
  const pixels = await decodePng(optimized)
    .flatten({ background: '#ffffff' })
    // Pixels as they are: mixed ones would be colors that the picture does not have.
    .resize({ width: SAMPLE_SIDE, height: SAMPLE_SIDE, fit: 'fill', kernel: 'nearest' })
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  return nameOfSample({ width, height, pixels })
}
