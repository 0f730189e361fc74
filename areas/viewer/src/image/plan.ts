import { LIMITS, PASTE_LIMITS } from '@patchbay/contracts/limits'
import type { PictureType } from '@patchbay/contracts/viewer'
import type { Size } from '../ports.ts'
import { refused } from './refused.ts'

/** What one picture may take, beside what the process has anyway: both stay below 512 MiB together. */
const WORKING_MEMORY = 320 * 1024 * 1024
/** What one encoder takes whatever the picture is. */
const ENCODER = 16 * 1024 * 1024
const MAX_SIDE = 65_535
/** Rows that wait between decoder and encoder, and between decoder and scaler: measured, rounded up. */
const ENCODER_ROWS = 1024
const SCALER_ROWS = 2200
const SCALER_SURPLUS = 1.3

/** What the header of a picture says. */
export interface PictureFacts extends Size {
  readonly type: PictureType
  readonly channels: number
  /** Of one sample of one channel. */
  readonly bits: number
  /** Progressive or interlaced: nothing can be shown before all of it was read. */
  readonly isProgressive: boolean
  /** The camera was held another way than the rows of the file run. */
  readonly isTurned: boolean
  /** What is held in memory while the picture is worked on. */
  readonly heldBytes: number
}

export interface Plan {
  readonly isResized: boolean
  /** Both files at the same time, each from what was sent; otherwise the small one from the large one. */
  readonly isTogether: boolean
}

export function planPicture(facts: PictureFacts): Plan {
  checkSize(facts)
  const isResized = Math.max(facts.width, facts.height) > LIMITS.screenshotMaxSidePx
  const whole = wholePicture(facts)
  const line = facts.width * facts.channels * sampleBytes(facts)
  const original = ENCODER + (whole > 0 ? whole : line * Math.min(facts.height, ENCODER_ROWS))
  const scaling = Math.min(facts.height, SCALER_ROWS) * SCALER_SURPLUS
  const together = original + ENCODER + (whole > 0 ? whole : line * scaling)
  const inTurn = Math.max(original, ENCODER + facts.width * facts.channels * scaling)
  const isTogether = isResized && facts.heldBytes + together <= WORKING_MEMORY
  const memory = facts.heldBytes + (isTogether ? together : isResized ? inTurn : original)
  if (memory > WORKING_MEMORY) throw refused(tooLarge(facts))
  return { isResized, isTogether }
}

/** Asked before anything is decoded, or allocated for it. */
export function checkSize({ width, height }: Size): void {
  if (width < 1 || height < 1) throw refused('The picture has no pixels.')
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw refused(`The picture is ${width} × ${height} pixels; no side may exceed ${MAX_SIDE}.`)
  if (width * height > PASTE_LIMITS.pixels)
    throw refused(
      `The picture is ${width} × ${height} pixels; at most ${PASTE_LIMITS.pixels / 1e6} million are accepted.`,
    )
}

/** What holding the whole picture takes, where a decoder or a turn does that. Figures are measured, per pixel. */
function wholePicture(facts: PictureFacts): number {
  const pixel = facts.channels * sampleBytes(facts)
  const bytes = {
    'image/avif': facts.bits > 8 ? 24.2 : 18.2,
    'image/webp': 8.3,
    'image/gif': 4.5,
    // A progressive one keeps two bytes of each coefficient.
    'image/jpeg': (facts.isProgressive ? 2 * facts.channels : 0) + (facts.isTurned ? pixel : 0),
    'image/png': (facts.isProgressive ? pixel : 0) + (facts.isTurned ? pixel : 0),
    // Its pixels are counted among what is held.
    'image/bmp': 0,
  }[facts.type]
  return bytes * facts.width * facts.height
}

function sampleBytes({ bits }: PictureFacts): number {
  return Math.ceil(bits / 8)
}

function tooLarge({ type, width, height }: PictureFacts): string {
  const kind = type.slice('image/'.length).toUpperCase()
  return `This kind of ${kind} picture with ${width} × ${height} pixels would need more memory than is set aside. Make it smaller, or save it as plain PNG.`
}
