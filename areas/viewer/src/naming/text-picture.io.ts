import sharp from 'sharp'
import { cropFor } from './crop.ts'
import { decodePng, requirePng } from './plain-png.io.ts'
import type { ReadRequest } from './reading.ts'

/** Below this mean brightness letters are lighter than what is behind them. */
const DARK = 110

/** The part of a picture that is read, as dark letters on light ground, in a size at which letters are read well. */
export async function pictureForReading(file: string): Promise<ReadRequest | undefined> {
  await requirePng(file)
  const crop = cropFor(await decodePng(file).metadata())
  if (crop === undefined) return undefined
  const { data, info } = await decodePng(file)
    .extract({ left: 0, top: 0, width: crop.width, height: crop.height })
    .flatten({ background: '#ffffff' })
    .resize({ ...crop.scaled, fit: 'fill' })
    .grayscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const { channels } = await sharp(data, { raw }).stats()
  // The whole range: a few letters on a wide ground are less than the hundredth that would be cut off as usual.
  const gray = sharp(data, { raw }).normalize({ lower: 0, upper: 100 })
  const isDark = (channels[0]?.mean ?? 255) < DARK
  const png = await (isDark ? gray.negate({ alpha: false }) : gray).png({ compressionLevel: 1 }).toBuffer()
  // Of its own memory, so that it can be handed to another thread without a copy.
  return { image: new Uint8Array(png), width: info.width, height: info.height }
}
