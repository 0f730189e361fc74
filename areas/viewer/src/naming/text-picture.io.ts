import sharp from 'sharp'
import type { Size } from '../ports.ts'
import { decodePng, requirePng } from './plain-png.io.ts'
import type { ReadRequest } from './reading.ts'

/** What one reading may cost: about this many pixels, some seconds, some hundred megabytes. */
const READ_PIXELS = 3_000_000
/** Below this a picture is a cut-out already. */
const WHOLE_PIXELS = 1_000_000
const LARGEST_SCALE = 3
/** The engine refuses sides above 32,767. */
const LONGEST_SIDE = 8_000
const LEAST_SIDE = 12

interface Crop {
  /** The upper part that is looked at, in pixels of the original. */
  readonly width: number
  readonly height: number
  /** What it is brought to, so that small letters are large enough to be read. */
  readonly scaled: Size
}

/** The part of a picture where titles and headings are. Undefined where no letter would fit. */
export function cropFor({ width, height }: Size): Crop | undefined {
  if (width < LEAST_SIDE || height < LEAST_SIDE) return undefined
  const kept =
    width * height <= WHOLE_PIXELS
      ? height
      : Math.min(Math.ceil((height * 2) / 3), Math.max(width, LEAST_SIDE))
  const scale = Math.min(
    LARGEST_SCALE,
    Math.sqrt(READ_PIXELS / (width * kept)),
    LONGEST_SIDE / width,
    LONGEST_SIDE / kept,
  )
  const scaled = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(kept * scale)),
  }
  return { width, height: kept, scaled }
}

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
