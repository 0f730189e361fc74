import { constants } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { LIMITS } from '@patchbay/contracts/limits'
import sharp, { type Sharp } from 'sharp'
import type { PreparePictures, WrittenPicture } from '../ports.ts'
import { type LoadedPicture, openPicture } from './open-picture.io.ts'
import { type Plan, planPicture } from './plan.ts'

type Targets = Parameters<PreparePictures>[1]
type Written = Record<keyof Targets, WrittenPicture>

/** Far above what the largest picture takes on a machine that does nothing else. */
const ENCODING_SECONDS = 60
const SMALLER = {
  width: LIMITS.screenshotMaxSidePx,
  height: LIMITS.screenshotMaxSidePx,
  fit: 'inside',
  withoutEnlargement: true,
} as const
/** Adaptive filters make screenshots larger, and take longer. */
const PNG = {
  compressionLevel: LIMITS.pngCompressionLevel,
  adaptiveFiltering: false,
  palette: false,
} as const

/** Makes both files in this process. What it leaves behind when it fails, the caller removes. */
export const preparePicture: PreparePictures = async (incoming, into) => {
  const { facts, fileBytes, load } = await openPicture(incoming)
  const plan = planPicture(facts)
  const picture = await load()
  try {
    return { source: { type: facts.type, bytes: fileBytes }, ...(await writeBoth(picture, plan, into)) }
  } finally {
    picture.release()
  }
}

async function writeBoth(picture: LoadedPicture, plan: Plan, into: Targets): Promise<Written> {
  if (plan.isTogether) return writeTogether(picture, into)
  const original = await encode(picture.begin(), into.original)
  if (plan.isResized)
    return { original, optimized: await encode(sharp(into.original).resize(SMALLER), into.optimized) }
  // The same pixels: encoding them again would take as long and give the same bytes.
  await copyFile(into.original, into.optimized, constants.COPYFILE_FICLONE)
  return { original, optimized: original }
}

async function writeTogether(picture: LoadedPicture, into: Targets): Promise<Written> {
  const original = encode(picture.begin(), into.original)
  const optimized = encode(picture.begin().resize(SMALLER), into.optimized)
  // Both, also when one has failed: the other still reads the pixels and writes its file.
  await Promise.allSettled([original, optimized])
  return { original: await original, optimized: await optimized }
}

async function encode(picture: Sharp, path: string): Promise<WrittenPicture> {
  const encoded = await picture.png(PNG).timeout({ seconds: ENCODING_SECONDS }).toFile(path)
  return { width: encoded.width, height: encoded.height, bytes: encoded.size }
}
